import { constants } from "node:zlib";
import compress from "@fastify/compress";
import type { FastifyInstance, onSendHookHandler } from "fastify";
import { COMPRESSION_THRESHOLD_BYTES } from "./server-limits.ts";

/** Fast enough to be worth it on every answer; the library's higher levels cost more than the query. */
const BROTLI_QUALITY = 4;
/** How the compression adds itself to a Vary that names it already, in other letters. */
const DOUBLED = ", accept-encoding";

/** Compresses the bodies of every route that is added after this call, for clients that accept brotli or gzip. */
export async function addCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    encodings: ["br", "gzip"],
    threshold: COMPRESSION_THRESHOLD_BYTES,
    brotliOptions: {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    },
    globalDecompression: false,
  });
  app.addHook("onRoute", (route) => {
    const steps = [route.onSend ?? []].flat();
    // A HEAD route's first step takes the body away; it has to come last, so that HEAD tells what GET would send.
    const last = route.method === "HEAD" ? steps.splice(0, 1) : [];
    route.onSend = [...steps, tidyVary, ...last];
  });
}

const tidyVary: onSendHookHandler = (_request, reply, payload, done) => {
  const vary = reply.getHeader("vary");
  if (typeof vary === "string" && vary.endsWith(DOUBLED))
    reply.header("vary", vary.slice(0, -DOUBLED.length));
  done(null, payload);
};
