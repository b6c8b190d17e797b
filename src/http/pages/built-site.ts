import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { readFile } from "node:fs/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { matchesAny, listsTag } from "../pipeline/conditional.ts";
import { sharedBytes } from "../pipeline/compression.ts";
import { PageTemplate } from "./page-template.ts";

/** Encodings of stored files, smallest first. */
const ENCODINGS = [
  { encoding: "br", ending: ".br" },
  { encoding: "gzip", ending: ".gz" },
] as const;

type FileEncoding = (typeof ENCODINGS)[number]["encoding"];

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

/** A file that is ready to be sent. */
export interface SiteFile {
  readonly type: string;
  /** Identifies its contents, in every encoding. */
  readonly tag: string;
  /** The encodings stored next to the plain file, smallest first. */
  readonly encodings: readonly FileEncoding[];
  /** Its bytes, plain or encoded. Concurrent readers share them. */
  read(encoding: FileEncoding | null): Promise<Buffer>;
}

/**
 * The built portal: the template of all its pages and its assets, whose names change with their contents. It includes
 * the assets of earlier builds, so pages opened before an upgrade keep working.
 */
export class BuiltSite {
  readonly page: PageTemplate;
  readonly #assets: ReadonlyMap<string, SiteFile>;

  /** Lists the files of a folder and of the earlier builds next to it. Throws file system errors. */
  constructor(folder: string) {
    this.page = new PageTemplate(folder);
    const output = dirname(folder);
    const before = readdirSync(output)
      .filter((name) => !name.startsWith(".") && name !== basename(folder))
      .flatMap((name) => assetsIn(join(output, name)));
    this.#assets = new Map([...before, ...assetsIn(folder)]);
  }

  /** The file `/assets/NAME`, or null. */
  asset(name: string): SiteFile | null {
    return this.#assets.get(name) ?? null;
  }
}

/** Sends a file in the smallest encoding that the client accepts, or 304 if it has the file. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: SiteFile,
): Promise<FastifyReply> {
  if (isHeld(request, reply, file.tag)) return reply.code(304).send();
  const accepted = [request.headers["accept-encoding"] ?? ""].flat().join(",");
  const encoding = file.encodings.find((each) => accepts(accepted, each));
  if (encoding !== undefined) reply.header("content-encoding", encoding);
  return reply.type(file.type).send(await file.read(encoding ?? null));
}

/** Sets the validator of a file, and returns whether the client has it. The page of an unknown path is never held. */
export function isHeld(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  tag: string,
): boolean {
  reply.header("etag", `W/"${tag}"`).header("vary", varyOf(reply));
  const match = headers["if-none-match"];
  return (
    reply.statusCode === 200 &&
    match !== undefined &&
    (matchesAny(match) || listsTag(match, tag))
  );
}

function assetsIn(folder: string): [string, SiteFile][] {
  const assets = join(folder, "assets");
  if (!existsSync(assets)) return [];
  const names = new Set(readdirSync(assets));
  return [...names]
    .filter((name) => typeOf(name) !== null)
    .map((name) => [name, assetIn(assets, name, names)]);
}

function assetIn(
  folder: string,
  name: string,
  names: ReadonlySet<string>,
): SiteFile {
  const ready = ENCODINGS.filter(({ ending }) => names.has(name + ending));
  const plain = sharedFile(join(folder, name));
  const encoded = new Map(
    ready.map(({ encoding, ending }) => [
      encoding,
      sharedFile(join(folder, name + ending)),
    ]),
  );
  return {
    type: typeOf(name) ?? "",
    tag: name,
    encodings: [...encoded.keys()],
    read: (encoding) => ((encoding && encoded.get(encoding)) ?? plain)(),
  };
}

/** The media type of a file by its name, null for a type that a site does not have. */
function typeOf(name: string): string | null {
  return TYPES[extname(name)] ?? null;
}

/**
 * Makes a reader of a file that never changes. Concurrent readers share its bytes; the memory is freed after the last
 * answer.
 */
function sharedFile(path: string): () => Promise<Buffer> {
  let cached: WeakRef<Buffer> | null = null;
  let reading: Promise<Buffer> | null = null;
  return function read() {
    const bytes = cached?.deref();
    if (bytes !== undefined) return Promise.resolve(bytes);
    reading ??= readFile(path)
      .then((found) => {
        cached = new WeakRef(found);
        return sharedBytes(found);
      })
      .finally(() => (reading = null));
    return reading;
  };
}

/** The existing `Vary` and the encodings. */
function varyOf(reply: FastifyReply): string {
  return [reply.getHeader("vary") ?? [], "Accept-Encoding"].flat().join(", ");
}

/** Whether an Accept-Encoding lists an encoding, or `*`, with a weight above zero. */
function accepts(header: string, encoding: FileEncoding): boolean {
  const weights = new Map(
    header.split(",").map((range) => {
      const [name = "", ...parameters] = range
        .split(";")
        .map((part) => part.trim().toLowerCase());
      const weight = parameters.find((each) => each.startsWith("q="));
      return [name, weight === undefined ? 1 : Number(weight.slice(2))];
    }),
  );
  return (weights.get(encoding) ?? weights.get("*") ?? 0) > 0;
}
