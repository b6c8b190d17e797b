import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { compileWasm, WASM_SOURCES } from "../../tools/build-wasm.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";

const ROOT = join(import.meta.dirname, "../..");

test("the WebAssembly in the repository is what its source compiles to", () => {
  using folder = temporaryFolder();
  const out = join(folder.path, "out.wasm");
  for (const source of WASM_SOURCES) {
    compileWasm(source, out);
    assert.deepEqual(
      readFileSync(join(ROOT, `${source}.wasm`)),
      readFileSync(out),
      `${source}: run node_modules/.bin/node tools/build-wasm.ts`,
    );
  }
});
