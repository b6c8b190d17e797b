/** The program of the process that builds the portal: `build.ts PROJECT OUTPUT`. What is wrong it says on standard error. */
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { build, type Plugin } from "vite";
import { documentsPlugin } from "./documents-plugin.ts";
import { writeEncoded } from "./write-encoded.ts";

const LONGEST_MESSAGE = 1_000;

const [project = "", output = ""] = process.argv.slice(2);
try {
  await build({
    root: join(project, "src", "portal"),
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: "silent",
    plugins: [documentsPlugin(), showWithTheme(), importClassNames()],
    css: {
      modules: {
        localsConvention: "camelCaseOnly",
        // Short: it is in the pages' code and in their styles.
        generateScopedName: "[hash:base64:5]",
      },
    },
    build: {
      outDir: output,
      // Small files too stay files: pages may not hold anything that is run or shown.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: ["chrome123", "firefox120", "safari17.5"],
    },
  });
  await writeEncoded(output);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  console.error(stripVTControlCharacters(message).slice(0, LONGEST_MESSAGE));
  process.exitCode = 1;
}

/** Holds the first picture back until the script has run, which knows the theme that the reader chose. */
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

/** Imports the classes of CSS modules by their names, so that the code holds those that it uses, and no table of all. */
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
