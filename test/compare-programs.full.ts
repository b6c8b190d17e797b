import assert from "node:assert/strict";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { comparePrograms } from "../tools/compare/compare.ts";
import { temporaryFolder } from "./support/pure/temporary-folder.ts";

const ROOT = join(import.meta.dirname, "..");
const OPTIONS = { files: [], providers: 400, combinations: 4, every: 5 };

/** Faults in a copy of the sources, and what must differ by each: a request or command, and a part of the response. */
const FAULTS: readonly {
  readonly what: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly name: RegExp;
  readonly part: string;
}[] = [
  {
    what: "a header",
    file: "src/http/pipeline/headers.ts",
    from: `"x-content-type-options": "nosniff"`,
    to: `"x-content-type-options": "sniff"`,
    name: /^\/healthz/,
    part: "x-content-type-options",
  },
  {
    what: "a byte of a body",
    file: "src/search/render/json-records.ts",
    from: `constant(',"distance_miles":')`,
    to: `constant(',"distance_mile5":')`,
    name: /^\/v1\/providers\/nearby/,
    part: "body",
  },
  {
    what: "a status",
    file: "src/contract/errors/errors.ts",
    from: "provider_not_found: {\n    status: 404",
    to: "provider_not_found: {\n    status: 410",
    name: /^\/v1\/providers\/:npi/,
    part: "status",
  },
  {
    what: "a lost row",
    file: "src/http/exports/send-rows.ts",
    from: "?? slice, length);",
    to: "?? slice.subarray(0, slice.lastIndexOf(10, -2) + 1), length);",
    name: /^\/v1\/providers\/export/,
    part: "body",
  },
  {
    what: "a burst token counted twice",
    file: "src/accounts/metering/burst-bucket.ts",
    from: "fullAt + interval * tokens;",
    to: "fullAt + 2 * interval * tokens;",
    name: /^key burst/,
    part: "status",
  },
  {
    what: "a link to the wrong page",
    file: "src/http/queries/query-string.ts",
    from: `link(page + 1, "next")`,
    to: `link(page + 2, "next")`,
    name: /^\/v1\/providers\/search/,
    part: "link",
  },
  {
    what: "a message",
    file: "src/http/queries/query-string.ts",
    from: "must be ${String(",
    to: "has to be ${String(",
    name: /at its edge/,
    part: "body",
  },
  {
    what: "a condition that is not looked at",
    file: "src/http/pipeline/conditional.ts",
    from: `if (matchesAny(match)) return "claimed";`,
    to: `if (matchesAny(match)) return "none";`,
    name: /if-none-match \*/,
    part: "status",
  },
  {
    what: "an entity tag",
    file: "src/http/pipeline/conditional.ts",
    from: "const REPRESENTATION = 1;",
    to: "const REPRESENTATION = 2;",
    name: /^\/v1\/taxonomies/,
    part: "etag",
  },
  {
    what: "a line of a command's help",
    file: "src/cli/commands/registry/update.ts",
    from: "and import it.",
    to: "and import them.",
    name: /^command: /,
    part: "out",
  },
  {
    what: "the name of a download",
    file: "src/http/routes/download.ts",
    from: `["providers", ...part`,
    to: `["people", ...part`,
    name: /^\/explore\/search\.csv/,
    part: "content-disposition",
  },
  {
    what: "the last responses to a client that closes its side",
    file: "src/http/limits/server-limits.ts",
    from: "afterAnswers(socket, () => {",
    to: "queueMicrotask(() => {",
    name: /^connection: half closed$/,
    part: "responses",
  },
];

suite("the comparison of programs", () => {
  test("finds no difference between a checkout and itself", async () => {
    const { differences, requests } = await comparePrograms(
      { old: ROOT, new: ROOT },
      OPTIONS,
    );
    assert.deepEqual(differences, []);
    assert.ok(requests > 5_000, String(requests));
  });

  test("finds each fault", async () => {
    using folder = temporaryFolder();
    for (const name of [
      "bin",
      "docs",
      "openapi.json",
      "package-lock.json",
      "package.json",
      "src",
      "tsconfig.json",
    ])
      cpSync(join(ROOT, name), join(folder.path, name), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(folder.path, "node_modules"));
    for (const { file, from, to } of FAULTS) {
      const path = join(folder.path, file);
      const source = readFileSync(path, "utf8");
      assert.ok(source.includes(from), `${file} has ${from}`);
      writeFileSync(path, source.replace(from, to));
    }
    const { differences } = await comparePrograms(
      { old: ROOT, new: folder.path },
      OPTIONS,
    );
    for (const { name, part, what } of FAULTS)
      assert.ok(
        differences.some((each) => name.test(each.name) && part === each.part),
        what,
      );
  });
});
