import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import type { HeldBuild } from "../../settings/service-settings.ts";

/** The encodings of stored files, smallest first, and how their names end. */
const FORMS = [
  { encoding: "br", ending: ".br" },
  { encoding: "gzip", ending: ".gz" },
  { encoding: null, ending: "" },
] as const;

export type FileEncoding = NonNullable<(typeof FORMS)[number]["encoding"]>;

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".pbf": "application/x-protobuf",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webp": "image/webp",
};
const ASSETS = "assets/";

const decode = promisify(brotliDecompress);

/** A file that is ready to be sent. */
export interface SiteFile {
  readonly type: string;
  /** Identifies its contents, in every encoding. */
  readonly tag: string;
  /** Its forms, smallest first; the last one is plain. */
  readonly forms: readonly {
    readonly encoding: FileEncoding | null;
    readonly read: Read;
  }[];
}

/** Reads the bytes of a file. Concurrent readers share them. Null if the file is gone. */
type Read = () => Promise<Buffer | null>;

/**
 * Reads a build into memory that threads share, 2 to 3 MB: the service keeps it when newer builds have replaced its
 * folder. Plain forms of files that are also compressed with Brotli are left out, except of the page. Throws file
 * system errors.
 */
export function readBuild(folder: string): HeldBuild {
  const assets = new Set(assetsOf(folder));
  const plain = [...assets].filter((path) => !assets.has(`${path}.br`));
  const files = ["index.html", "manifest.json", ...plain].map((path) => {
    const bytes = readFileSync(join(folder, path));
    const held = new Uint8Array(new SharedArrayBuffer(bytes.length));
    held.set(bytes);
    return [path, held] as const;
  });
  return { folder, files: new Map(files) };
}

/** Returns the text of a file of a build. */
export function textOf({ files }: HeldBuild, name: string): string {
  return Buffer.from(files.get(name) ?? new Uint8Array()).toString();
}

/** Lists the assets of a build in memory, by name. */
export function heldAssets({ files }: HeldBuild): [string, SiteFile][] {
  return siteFiles([...files.keys()], (path) => {
    const { buffer, byteLength, byteOffset } = files.get(path)!;
    return Promise.resolve(Buffer.from(buffer, byteOffset, byteLength));
  });
}

/** Lists the assets in a build's folder, by name. */
export function storedAssets(folder: string): [string, SiteFile][] {
  return siteFiles(assetsOf(folder), (path) => readIfThere(join(folder, path)));
}

/** Makes the assets among these paths, of which some have an encoding's ending. */
function siteFiles(
  paths: readonly string[],
  read: (path: string) => ReturnType<Read>,
): [string, SiteFile][] {
  const stored = new Set(paths.filter((path) => path.startsWith(ASSETS)));
  const plain = [...stored].map((path) => path.replace(/\.(br|gz)$/, ""));
  return [...new Set(plain)].flatMap((path): [string, SiteFile][] => {
    const type = TYPES[extname(path)];
    if (type === undefined) return [];
    const decoded = async (): ReturnType<Read> => {
      const encoded = await read(`${path}.br`);
      return encoded && decode(encoded);
    };
    const forms = FORMS.flatMap(({ encoding, ending }) => {
      if (stored.has(path + ending))
        return { encoding, read: shared(() => read(path + ending)) };
      return encoding === null ? { encoding, read: shared(decoded) } : [];
    });
    const tag = path.slice(ASSETS.length);
    return [[tag, { type, tag, forms }]];
  });
}

/** Lists the paths of the assets in a folder; none if it has none. */
function assetsOf(folder: string): string[] {
  const assets = join(folder, ASSETS);
  return existsSync(assets)
    ? readdirSync(assets).map((name) => ASSETS + name)
    : [];
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (existsSync(path)) throw error;
    return null;
  }
}

/**
 * Makes a reader of a file that never changes. Concurrent readers share its bytes; the memory is freed after the last
 * answer.
 */
function shared(load: Read): Read {
  let cached: WeakRef<Buffer> | null = null;
  let reading: ReturnType<Read> | null = null;
  return function read() {
    const bytes = cached?.deref();
    if (bytes !== undefined) return Promise.resolve(bytes);
    reading ??= load()
      .then((found) => {
        cached = found && new WeakRef(found);
        return found;
      })
      .finally(() => (reading = null));
    return reading;
  };
}
