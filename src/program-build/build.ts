/** Builds the program: `build.ts PROJECT OUTPUT`. Prints errors on standard error. */
import { readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "vite";

/** What the service always loads. Other packages stay where they are. */
const BUNDLED = new Set([
  "@fastify/compress",
  "fastify",
  "kysely",
  "pino",
  "typebox",
]);

const WORKER = 'new URL("./worker-thread.ts", import.meta.url)';
const BUILT_WORKER = WORKER.replace(".ts", ".js");

const [project = "", output = ""] = process.argv.slice(2);
try {
  await build({
    root: project,
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: "silent",
    plugins: [sourceUrls(realpathSync(join(project, "src")))],
    ssr: { noExternal: true, external: packagesLoadedLater() },
    build: {
      ssr: true,
      outDir: output,
      target: "esnext",
      // For --enable-source-maps; Node doesn't read them otherwise.
      sourcemap: true,
      rolldownOptions: {
        input: [
          join(project, "src", "cli", "service-program.ts"),
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
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

function packagesLoadedLater(): string[] {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(project, "package.json"), "utf8"),
  );
  return Object.keys(dependencies).filter((name) => !BUNDLED.has(name));
}

/** Sources find files next to them by their own URL; only the program of worker threads is in the build. */
function sourceUrls(sources: string): Plugin {
  return {
    name: "source-urls",
    enforce: "pre",
    transform: {
      filter: { code: "import.meta.url" },
      handler(code, id) {
        if (!id.startsWith(`${sources}${sep}`)) return null;
        if (code.includes(WORKER)) return code.replace(WORKER, BUILT_WORKER);
        const url = JSON.stringify(pathToFileURL(id).href);
        // No line is moved.
        return { code: code.replaceAll("import.meta.url", url), map: null };
      },
    },
  };
}
