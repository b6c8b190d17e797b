import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** An empty folder that is removed with the test. */
export function temporaryFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "provider-directory-"));
  return {
    path,
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
