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

/** Fast enough to be worth it on every answer; the library's higher levels cost more than the query. */
const BROTLI_QUALITY = 4;
/** How the compression adds itself to a Vary that names it already, in other letters. */
const DOUBLED = ", accept-encoding";

/** What was compressed of bytes that are sent again and again, for as long as somebody holds them. */
const compressed = new WeakMap<Uint8Array, Map<string, Buffer>>();

/** Bytes of a document that is the same for all: whoever compresses them does it once. */
export function sharedBytes(bytes: Buffer): Buffer {
  compressed.set(bytes, new Map());
  return bytes;
}

/**
 * Compresses the bodies of every route that is added after this call, for clients that accept brotli or gzip. A body is
 * compressed in one go, a millisecond for the longest page: a stream would hold the megabytes of its compressor for as long
 * as the client takes to read, or does not.
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
    // A HEAD route's first step takes the body away; it has to come last, so that HEAD tells what GET would send.
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
