import { readFileSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { build, type Plugin } from "vite";

/** The packages that the service always loads. Others stay where they are. */
const BUNDLED = new Set([
  "@fastify/accept-negotiator",
  "@fastify/proxy-addr",
  "find-my-way",
  "kysely",
  "pino",
  "typebox",
]);

const WORKER = 'new URL("./worker-thread.ts", import.meta.url)';
const BUILT_WORKER = WORKER.replace(".ts", ".js");
/** From a file of the build, in `dist/program/HASH`, to the project. */
const TO_PROJECT = "../../../";

/** Builds the program of a project, `program.js` and `worker-thread.js`, into a folder. Throws the bundler's error. */
export async function buildProgram(
  project: string,
  output: string,
): Promise<void> {
  let isWorkerBuilt = false;
  await build({
    root: project,
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: "silent",
    plugins: [
      sourceUrls(realpathSync(project), () => {
        isWorkerBuilt = true;
      }),
    ],
    ssr: { noExternal: true, external: packagesLoadedLater(project) },
    build: {
      ssr: true,
      outDir: output,
      target: "esnext",
      // For --enable-source-maps; Node doesn't read them otherwise.
      sourcemap: true,
      rolldownOptions: {
        input: [
          join(project, "src", "cli", "program.ts"),
          join(project, "src", "server", "workers", "worker-thread.ts"),
        ],
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: "[name].js",
          comments: false,
          // The classes of errors that cross threads are compared by name.
          keepNames: true,
          minify: {
            compress: false,
            mangle: false,
            codegen: { asciiOnly: true, removeWhitespace: false },
          },
        },
      },
    },
  });
  if (!isWorkerBuilt) throw new Error(`No source has ${WORKER}.`);
}

function packagesLoadedLater(project: string): string[] {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(project, "package.json"), "utf8"),
  );
  return Object.keys(dependencies).filter((name) => !BUNDLED.has(name));
}

/**
 * Lets sources find files next to them by their own URL; only the program of worker threads is in the build. The URLs
 * are relative, so that a checkout can be moved with its build.
 */
function sourceUrls(root: string, onWorker: () => void): Plugin {
  return {
    name: "source-urls",
    enforce: "pre",
    transform: {
      filter: { code: "import.meta.url" },
      handler(code, id) {
        if (!id.startsWith(join(root, "src") + sep)) return null;
        if (code.includes(WORKER)) {
          onWorker();
          return code.replace(WORKER, BUILT_WORKER);
        }
        const path = TO_PROJECT + relative(root, id).split(sep).join("/");
        const url = `new URL(${JSON.stringify(path)}, import.meta.url).href`;
        // No line is moved.
        return {
          code: code.replaceAll("import.meta.url", () => url),
          map: null,
        };
      },
    },
  };
}
