import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  builtFolder,
  type Build,
  type BuildRequest,
} from "../builds/built-folder.ts";

const ENTRY = "service-program.js";

const PROGRAM_BUILD: Build = {
  name: "program",
  program: fileURLToPath(new URL("./build.ts", import.meta.url)),
  sources: {
    folders: ["src"],
    except: ["src/portal"],
    // The last one says what is installed.
    files: [
      "package.json",
      "package-lock.json",
      "tsconfig.json",
      "node_modules/.package-lock.json",
    ],
  },
  entry: ENTRY,
};

export type ProgramBuild =
  /** The URL of its first file; null if the project's folder can't be written. */
  | { readonly outcome: "built"; readonly url: URL | null }
  /** The build's own error. */
  | { readonly outcome: "failed"; readonly reason: string };

/**
 * The program in few files, in `dist/program`. They load in a fraction of the time of the 1,500 modules that they are
 * made from. They are only ever in the project's folder: a service whose user may not change the program's files must
 * not run others.
 */
export async function builtProgram(
  request: Omit<BuildRequest, "otherwise">,
): Promise<ProgramBuild> {
  const build = await builtFolder(PROGRAM_BUILD, request);
  if (build.outcome === "failed") return build;
  if (build.outcome === "unwritable") return { outcome: "built", url: null };
  return { outcome: "built", url: pathToFileURL(join(build.folder, ENTRY)) };
}
