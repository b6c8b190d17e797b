import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { startHttpService } from "../support/app/http-service.ts";
import { demoFolder } from "../support/program/demo-folder.ts";
import { PROGRAM_FILE } from "../support/program/program.ts";
import { until } from "../support/pure/until.ts";

const CALLS = 4_000;
/** A line is so long that the pipes hold only some. */
const LINE_LENGTH = 600;
/** How often a process is looked at that does nothing. */
const IDLE_LOOKS = 20;

function line(message: object): string {
  const text = JSON.stringify({ jsonrpc: "2.0", ...message });
  return `${text.padEnd(LINE_LENGTH)}\n`;
}

/** Returns the first message of a client of a revision. */
function initialize(protocolVersion: string): string {
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion, capabilities: {}, clientInfo };
  return line({ id: 0, method: "initialize", params });
}

/** Returns the processor time that a process has used. */
function timeOf(pid: number | undefined): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(" ");
  return stat.slice(13, 15).join(" ");
}

test("takes no more calls than few while no one reads the results, and then answers them all", async () => {
  using demo = await demoFolder();
  const child = spawn(PROGRAM_FILE, ["mcp", "--data-dir", demo.path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const params = { name: "search_providers", arguments: { limit: 2 } };
  const calls = Array.from({ length: CALLS }, (_, index) =>
    line({ id: index + 1, method: "tools/call", params }),
  );
  let isTaken = false;
  child.stdin.write(initialize("2025-06-18") + calls.join(""), () => {
    isTaken = true;
  });
  await once(child.stdout, "readable");
  let before = "";
  let idle = 0;
  await until("the program to do nothing more", () => {
    const now = timeOf(child.pid);
    idle = now === before ? idle + 1 : 0;
    before = now;
    return isTaken || idle === IDLE_LOOKS;
  });
  assert.equal(isTaken, false);

  const left = new Set(Array.from({ length: CALLS + 1 }, (_, id) => id));
  for await (const answer of createInterface(child.stdout)) {
    const { id, result } = JSON.parse(answer);
    assert.ok(left.delete(id) && result.isError !== true, answer);
    if (left.size === 0) child.stdin.end();
  }
  assert.equal(left.size, 0);
  if (child.exitCode === null) await once(child, "exit");
  assert.equal(child.exitCode, 0);
});

test("gives a client of an old revision the address of all rows as text", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  const params = { name: "search_providers", arguments: { limit: 1 } };
  for (const [revision, type] of [
    ["2025-03-26", "text"],
    ["2025-06-18", "resource_link"],
  ] as const) {
    const { PATH } = process.env;
    const child = spawn(
      PROGRAM_FILE,
      ["mcp", "--url", `http://127.0.0.1:${port}`],
      {
        env: { PATH, MCP_API_KEY: service.paidKey },
        stdio: ["pipe", "pipe", "inherit"],
      },
    );
    const call = line({ id: 1, method: "tools/call", params });
    child.stdin.write(initialize(revision) + call);
    for await (const answer of createInterface(child.stdout)) {
      const { id, result } = JSON.parse(answer);
      if (id !== 1) continue;
      assert.equal(result.content[1]?.type, type, answer);
      child.stdin.end();
    }
  }
});

test("answers a last message without a line end", async () => {
  using demo = await demoFolder();
  const child = spawn(PROGRAM_FILE, ["mcp", "--data-dir", demo.path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(
    initialize("2025-06-18") + line({ id: 1, method: "ping" }).trimEnd(),
  );
  const ids: unknown[] = [];
  for await (const answer of createInterface(child.stdout))
    ids.push(JSON.parse(answer).id);
  assert.deepEqual(ids, [0, 1]);
});

test("ends on SIGTERM while its input stays open", async () => {
  using demo = await demoFolder();
  const child = spawn(PROGRAM_FILE, ["mcp", "--data-dir", demo.path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.write(line({ id: 1, method: "ping" }));
  await once(child.stdout, "data");
  child.kill("SIGTERM");
  const [code] = await once(child, "exit");
  assert.equal(code, 0);
});
