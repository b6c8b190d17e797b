import { fileURLToPath } from "node:url";
import {
  builtFolder,
  PROJECT,
  type Build,
  type BuildRequest,
} from "../builds/built-folder.ts";

const PORTAL_BUILD: Build = {
  name: "portal",
  program: fileURLToPath(new URL("./build.ts", import.meta.url)),
  sources: {
    folders: [
      "src/portal",
      "src/portal-build",
      "src/site",
      "src/contract",
      "src/registry",
      "src/text",
    ],
    files: [
      "docs/*.md",
      "docs/pictures/*.png",
      "tsconfig.json",
      "package-lock.json",
    ],
  },
  entry: "index.html",
};

export type PortalBuild =
  | { readonly outcome: "built"; readonly folder: string }
  /** What to do, and the build's own error. */
  | { readonly outcome: "failed"; readonly message: string };

/** The folder of the built portal, in `dist/portal` or where the request says. */
export async function builtPortal(request: BuildRequest): Promise<PortalBuild> {
  const build = await builtFolder(PORTAL_BUILD, request);
  if (build.outcome === "built") return build;
  return {
    outcome: "failed",
    message:
      build.outcome === "failed"
        ? `The portal could not be built. The API is served without it. Fix this error and restart, or turn the portal off (PORTAL=off): ${build.reason}`
        : `The portal is not built, and no build can be written to ${build.outputs.join(" or ")}. The API is served without it. Run "npm run build" in ${request.root ?? PROJECT} as a user who can write there, then restart. PORTAL=off turns the portal off.`,
  };
}
