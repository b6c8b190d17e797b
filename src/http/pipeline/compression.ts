import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import negotiate from "@fastify/accept-negotiator";
import { JsonText } from "../../search/render/json-text.ts";
import { COMPRESSION_THRESHOLD_BYTES } from "../limits/server-limits.ts";
import { placeOf, withHeaders } from "./headers.ts";

/** Fast enough for every response; higher levels cost more than the query. */
const BROTLI_QUALITY = 4;
const ENCODINGS = ["br", "gzip"];
/** Names for gzip in Accept-Encoding. */
const GZIP_ALIASES = /\*|x-gzip/g;
/** Media types whose bodies get shorter. */
const COMPRESSIBLE = /^text\/|[+/]json(?:;|$)|^image\/(?:svg\+xml|x-icon)/;

/** Compressed versions of shared bytes, kept as long as the bytes are. */
const known = new WeakMap<Uint8Array, Map<string, Buffer>>();

/** Marks the bytes of a document that is the same for everyone, so it is compressed only once. */
export function sharedBytes(bytes: Buffer): Buffer {
  known.set(bytes, new Map());
  return bytes;
}

/**
 * Compresses the body of a response if that is worth it and the client accepts brotli or gzip; says so in `headers`. A
 * body is compressed in one call, a millisecond for the longest page. A stream would hold the compressor's megabytes
 * for as long as a slow client reads.
 */
export function compressed(
  body: string | Buffer | JsonText,
  accept: string,
  headers: string[],
): string | Buffer | JsonText {
  const type = headers[placeOf(headers, "content-type") + 1] ?? "";
  const isEncoded = placeOf(headers, "content-encoding") !== -1;
  if (!COMPRESSIBLE.test(type) || isEncoded) return body;
  const bytes = bytesOf(body);
  if (bytes.length < COMPRESSION_THRESHOLD_BYTES) return body;
  const accepted = accept.toLowerCase().replace(GZIP_ALIASES, "gzip");
  const encoding = negotiate(accepted, ENCODINGS);
  if (encoding === null) return body;
  headers.push("content-encoding", encoding);
  const at = placeOf(headers, "vary") + 1;
  const vary = at === 0 ? [] : [headers[at]!];
  if (!vary.join().toLowerCase().includes("accept-encoding"))
    withHeaders(headers, ["vary", [...vary, "Accept-Encoding"].join(", ")]);
  const made = known.get(bytes);
  const result = made?.get(encoding) ?? compress(bytes, encoding);
  made?.set(encoding, result);
  return result;
}

function bytesOf(body: string | Buffer | JsonText): Uint8Array {
  if (typeof body === "string") return Buffer.from(body);
  return body instanceof JsonText ? body.view() : body;
}

function compress(bytes: Uint8Array, encoding: string): Buffer {
  return encoding === "gzip"
    ? gzipSync(bytes)
    : brotliCompressSync(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
      });
}
