import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import type { HeldBuild } from "../../settings/service-settings.ts";
import { sharedBytes } from "../pipeline/compression.ts";

/** Encodings of stored files, smallest first. */
const ENCODINGS = [
  { encoding: "br", ending: ".br" },
  { encoding: "gzip", ending: ".gz" },
] as const;

export type FileEncoding = (typeof ENCODINGS)[number]["encoding"];

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
  /** The encodings that it has next to the plain form, smallest first. */
  readonly encodings: readonly FileEncoding[];
  /** Its bytes, plain or encoded. Concurrent readers share them. Null if the file is gone. */
  read(encoding: FileEncoding | null): Promise<Buffer | null>;
}

/**
 * Reads a build into memory that threads share, 2 to 3 MB: the service keeps it when newer builds have replaced its
 * folder. Plain forms of files that are also compressed with Brotli are left out, except of the page. Throws file
 * system errors.
 */
export function readBuild(folder: string): HeldBuild {
  const names = [
    "index.html",
    "manifest.json",
    ...assetsOf(folder, (name, all) => !all.has(`${name}.br`)),
  ];
  const files = new Map<string, Uint8Array>();
  for (const name of names) {
    const bytes = readFileSync(join(folder, name));
    const held = new Uint8Array(new SharedArrayBuffer(bytes.length));
    held.set(bytes);
    files.set(name, held);
  }
  return { folder, files };
}

/** The text of a file of a build. */
export function textOf({ files }: HeldBuild, name: string): string {
  return Buffer.from(files.get(name) ?? new Uint8Array()).toString();
}

/** The assets of a build in memory, by name. */
export function heldAssets({ files }: HeldBuild): [string, SiteFile][] {
  const names = new Set(
    [...files.keys()]
      .filter((name) => name.startsWith(ASSETS))
      .map((name) => name.slice(ASSETS.length).replace(/\.(br|gz)$/, "")),
  );
  return siteFiles(names, (name) => {
    const bytes = files.get(ASSETS + name);
    if (bytes !== undefined) {
      const { buffer, byteLength, byteOffset } = bytes;
      const view = Buffer.from(buffer, byteOffset, byteLength);
      return shared(() => Promise.resolve(view));
    }
    const encoded = files.get(`${ASSETS}${name}.br`);
    return encoded === undefined ? null : shared(() => decode(encoded));
  });
}

/** The assets in a build's folder, by name. */
export function storedAssets(folder: string): [string, SiteFile][] {
  const names = new Set(assetsOf(folder, () => true));
  const plain = [...names].map((name) => name.slice(ASSETS.length));
  return siteFiles(plain, (name) =>
    names.has(ASSETS + name)
      ? shared(() => readIfThere(join(folder, ASSETS, name)))
      : null,
  );
}

type Read = SiteFile["read"];

/**
 * Makes the files with these names. `find` makes the reader of a name, with or without an encoding's ending, or null.
 */
function siteFiles(
  names: Iterable<string>,
  find: (name: string) => (() => ReturnType<Read>) | null,
): [string, SiteFile][] {
  return [...names].flatMap((name): [string, SiteFile][] => {
    const type = TYPES[extname(name)];
    if (type === undefined) return [];
    const plain = find(name);
    if (plain === null) return [];
    const encoded = new Map(
      ENCODINGS.flatMap(({ encoding, ending }) => {
        const read = find(name + ending);
        return read === null ? [] : [[encoding, read] as const];
      }),
    );
    const read: Read = (encoding) =>
      ((encoding && encoded.get(encoding)) ?? plain)();
    return [[name, { type, tag: name, encodings: [...encoded.keys()], read }]];
  });
}

/** The paths of the assets in a folder that fit; none if it has none. */
function assetsOf(
  folder: string,
  fits: (name: string, all: ReadonlySet<string>) => boolean,
): string[] {
  const assets = join(folder, ASSETS);
  if (!existsSync(assets)) return [];
  const all = new Set(readdirSync(assets));
  return [...all]
    .filter((name) => fits(name, all))
    .map((name) => ASSETS + name);
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
function shared(load: () => Promise<Buffer | null>): () => ReturnType<Read> {
  let cached: WeakRef<Buffer> | null = null;
  let reading: ReturnType<Read> | null = null;
  return function read() {
    const bytes = cached?.deref();
    if (bytes !== undefined) return Promise.resolve(bytes);
    reading ??= load()
      .then((found) => {
        if (found === null) return null;
        cached = new WeakRef(found);
        return sharedBytes(found);
      })
      .finally(() => (reading = null));
    return reading;
  };
}
