import {
  brotliCompressSync,
  constants,
  gzipSync,
  type BrotliOptions,
  type ZlibOptions,
} from "node:zlib";
import compress from "@fastify/compress";
import type { FastifyInstance, onSendHookHandler } from "fastify";
import { COMPRESSION_THRESHOLD_BYTES } from "../limits/server-limits.ts";

/** Fast enough for every answer; higher levels cost more than the query. */
const BROTLI_QUALITY = 4;
/** What the compression plugin appends to a `Vary` that already lists `Accept-Encoding`. */
const DOUBLED = ", accept-encoding";

/** Compressed versions of shared bytes, kept as long as the bytes are. */
const compressed = new WeakMap<Uint8Array, Map<string, Buffer>>();

/** The bytes of a document that is the same for everyone, so it is compressed only once. */
export function sharedBytes(bytes: Buffer): Buffer {
  compressed.set(bytes, new Map());
  return bytes;
}

/**
 * Compresses the bodies of every route added after this call, for clients that accept brotli or gzip. A body is
 * compressed in one call, a millisecond for the longest page. A stream would hold the compressor's megabytes for as
 * long as a slow client reads.
 */
export async function addCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    encodings: ["br", "gzip"],
    threshold: COMPRESSION_THRESHOLD_BYTES,
    syncThreshold: Number.MAX_SAFE_INTEGER,
    brotliOptions: {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    },
    zlib: { brotliCompressSync: brotli, gzipSync: zip },
    globalDecompression: false,
  });
  app.addHook("onRoute", (route) => {
    const steps = [route.onSend ?? []].flat();
    // Fastify's HEAD routes drop the body first. This must come last, so that HEAD has the headers of GET.
    const last = route.method === "HEAD" ? steps.splice(0, 1) : [];
    route.onSend = [...steps, tidyVary, ...last];
  });
}

function brotli(bytes: Buffer, options?: BrotliOptions): Buffer {
  return once(bytes, "br", () => brotliCompressSync(bytes, options));
}

function zip(bytes: Buffer, options?: ZlibOptions): Buffer {
  return once(bytes, "gzip", () => gzipSync(bytes, options));
}

function once(bytes: Buffer, encoding: string, make: () => Buffer): Buffer {
  const made = compressed.get(bytes);
  const found = made?.get(encoding) ?? make();
  made?.set(encoding, found);
  return found;
}

const tidyVary: onSendHookHandler = (_request, reply, payload, done) => {
  const vary = reply.getHeader("vary");
  if (typeof vary === "string" && vary.endsWith(DOUBLED))
    reply.header("vary", vary.slice(0, -DOUBLED.length));
  done(null, payload);
};
