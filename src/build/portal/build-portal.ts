import { join } from "node:path";
import { build, type Plugin } from "vite";
import { documentsPlugin } from "./guide-document.ts";
import { mapShapesPlugin } from "./map-shapes.ts";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Formats that are already compressed. */
const PACKED = /\.(png|webp|jpg|woff2|br|gz)$/;
const MIN_BYTES = 200;
/** Larger files get a lower level: a quarter of the work for a few percent more bytes. */
const LARGE_BYTES = 1_000_000;

/** Compresses each file of a folder to `.br` and `.gz` files next to it. */
export async function writeEncoded(folder: string): Promise<void> {
  const entries = await readdir(folder, {
    recursive: true,
    withFileTypes: true,
  });
  await Promise.all(
    entries
      .filter((entry) => entry.isFile() && !PACKED.test(entry.name))
      .map(({ name, parentPath }) => encode(join(parentPath, name))),
  );
}

async function encode(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < MIN_BYTES) return;
  const quality = bytes.length > LARGE_BYTES ? 9 : constants.BROTLI_MAX_QUALITY;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  await writeFile(`${path}.br`, await brotli(bytes, { params }));
  await writeFile(`${path}.gz`, await zip(bytes, { level: 9 }));
}

/** Builds the pages of a project, compressed, into a folder. Throws the bundler's error. */
export async function buildPortal(
  project: string,
  output: string,
): Promise<void> {
  await build({
    root: join(project, "src", "portal"),
    // The service adds where its files are to the page (`http/pages/built-site.ts`).
    base: "./",
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: "silent",
    plugins: [
      documentsPlugin(),
      mapShapesPlugin(),
      showWithTheme(),
      importClassNames(),
    ],
    css: {
      modules: {
        localsConvention: "camelCaseOnly",
        // Short, because each name is in both code and styles.
        generateScopedName: "[hash:base64:5]",
      },
    },
    build: {
      outDir: output,
      // No inlined assets: the Content-Security-Policy refuses data URLs.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // For the links to each page's own files (`http/pages/built-site.ts`).
      manifest: "manifest.json",
      target: ["chrome123", "firefox120", "safari17.5"],
    },
  });
  await writeEncoded(output);
}

/** Blocks the first paint until the script has applied the user's theme. */
function showWithTheme(): Plugin {
  return {
    name: "show-with-theme",
    transformIndexHtml: {
      order: "post",
      handler: (html) =>
        html.replace(
          '<script type="module"',
          '<script type="module" blocking="render"',
        ),
    },
  };
}

/** Imports CSS module classes by name, so that the bundle contains only those in use. */
function importClassNames(): Plugin {
  return {
    name: "import-class-names",
    enforce: "pre",
    transform: {
      filter: { id: /\.tsx$/ },
      handler: (code) =>
        code.replaceAll(
          /^import (\w+) from ("[^"]+\.module\.css");$/gm,
          "import * as $1 from $2;",
        ),
    },
  };
}
