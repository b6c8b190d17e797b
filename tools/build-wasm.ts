/**
 * Compiles the project's AssemblyScript (`*.as`) to the WebAssembly next to it. `test/csv/ascii-rows.full.ts` checks
 * that both belong together.
 *
 *   node_modules/.bin/node tools/build-wasm.ts
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/** The sources, without their ending. */
export const WASM_SOURCES = ["src/csv/ascii-rows", "src/registry/rows/values"];

/** Compiles a source to the file `out`. */
export function compileWasm(source: string, out: string): void {
  const folder = mkdtempSync(join(tmpdir(), "wasm-"));
  try {
    // The compiler reads only files that are named like TypeScript, which `tsc` would read too.
    copyFileSync(join(ROOT, `${source}.as`), join(folder, "source.ts"));
    execFileSync(
      process.execPath,
      [
        join(ROOT, "node_modules/assemblyscript/bin/asc.js"),
        "source.ts",
        "--outFile",
        out,
        "--runtime=stub",
        "--importMemory",
        "--enable=simd",
        "--noAssert",
        "-O3",
      ],
      { cwd: folder, stdio: "inherit" },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main)
  for (const source of WASM_SOURCES)
    compileWasm(source, join(ROOT, `${source}.wasm`));
