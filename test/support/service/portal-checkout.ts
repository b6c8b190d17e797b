/** A checkout with all that a portal is made from but its app, which is so small that it is built quickly. */

import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  builtPortal,
  type PortalBuild,
} from "../../../src/portal-build/built-portal.ts";
import { temporaryFolder } from "../program/program.ts";

const PROJECT = fileURLToPath(new URL("../../..", import.meta.url));

export interface PortalCheckout extends Disposable {
  readonly path: string;
  /** Where builds are. */
  readonly output: string;
  /** Asks for the build; `builds` is how often one was made. */
  build(otherwise?: string): Promise<PortalBuild & { readonly builds: number }>;
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
    output: join(folder.path, "dist", "portal"),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
    async build(otherwise) {
      let builds = 0;
      const built = await builtPortal({
        root: folder.path,
        ...(otherwise === undefined ? {} : { otherwise }),
        onBuild: () => void builds++,
        signal: new AbortController().signal,
      });
      return { ...built, builds };
    },
  };
}
