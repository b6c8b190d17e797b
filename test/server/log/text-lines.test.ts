import assert from "node:assert/strict";
import { test } from "node:test";
import { Output } from "../../../src/cli/output/output.ts";
import { openLog } from "../../../src/server/log/log.ts";
import { textLines } from "../../../src/server/log/text-lines.ts";

const LINES = [
  {
    level: 30,
    time: "2026-11-20T12:30:45.123Z",
    node: "one",
    thread: "worker 1",
    method: "GET",
    path: "/v1/providers/1",
    status: 400,
    account: null,
    ms: 1.5,
    msg: "answered",
  },
  {
    level: 40,
    time: "2026-11-20T12:30:46.000Z",
    node: "one",
    thread: "supervisor",
    reason: 'two "words"',
    err: { type: "Error", message: "gone", stack: "Error: gone" },
    msg: "\u001b[2Jcannot write",
  },
];

test("a log for people has the time, level, and message first, and no control characters", () => {
  const json = LINES.map((line) => `${JSON.stringify(line)}\n`).join("");
  assert.equal(
    textLines(`${json}not JSON\n`),
    [
      "12:30:45 INFO  answered method=GET path=/v1/providers/1 status=400 ms=1.5",
      '12:30:46 WARN  \\u001b[2Jcannot write reason="two \\"words\\"" err="gone"',
      "not JSON\n",
    ].join("\n"),
  );
});

for (const [format, pattern] of [
  ["text", /^\d\d:\d\d:\d\d INFO {2}listening port=80\n$/],
  ["json", /^\{"level":30,.*"port":80,"msg":"listening"\}\n$/],
] as const)
  test(`LOG_FORMAT=${format} is the format of the process's log`, async () => {
    let written = "";
    using output = new Output(1);
    output.offer = (text) => {
      written += text;
      return true;
    };
    await using log = openLog({
      node: "one",
      level: "info",
      format,
      output,
      onFault: assert.fail,
    });
    log.logger.info({ port: 80 }, "listening");
    assert.match(written, pattern);
  });
