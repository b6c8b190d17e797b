/** A checkout with all that a build is made from but the portal's app, which is so small that it is built quickly. */

import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ProgramProcess, type Ended } from "./program.ts";
import { temporaryFolder } from "../pure/temporary-folder.ts";

const PROJECT = fileURLToPath(new URL("../../..", import.meta.url));

export interface PortalCheckout extends Disposable {
  readonly path: string;
  /** Runs `npm run build`; resolves with what it printed. */
  build(): Promise<Ended>;
}

/** Makes a checkout; `app` is the code of the app. */
export function portalCheckout(app = "console.log(1);"): PortalCheckout {
  const folder = temporaryFolder();
  for (const path of [
    "src",
    "docs",
    "bin",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
  ])
    cpSync(join(PROJECT, path), join(folder.path, path), { recursive: true });
  writeFileSync(join(folder.path, "src/portal/main.tsx"), app);
  symlinkSync(join(PROJECT, "node_modules"), join(folder.path, "node_modules"));
  return {
    path: folder.path,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
    async build() {
      await using program = new ProgramProcess(
        [join(folder.path, "src", "build", "build.ts")],
        {},
        join(folder.path, "bin", "node"),
      );
      return await program.ended();
    },
  };
}
