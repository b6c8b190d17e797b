import type { FastifyReply, FastifyRequest } from "fastify";
import { MAP_TILES_PATH } from "../../site/portal-config.ts";
import { networkOf } from "../access/client-address.ts";
import {
  AccountShares,
  readerOf,
  tooManyAtOnce,
} from "../limits/account-share.ts";
import type { OpenTileFile } from "../pages/tile-file.ts";
import { listsTag } from "../pipeline/conditional.ts";
import { notFound } from "../pipeline/failure.ts";
import type { Route } from "./route.ts";

/** The longest range of an answer: tiles and directories are far smaller. */
const MAX_RANGE_BYTES = 4 * 2 ** 20;
/** Answers that a thread sends at the same time, to all clients and to one network. Each holds the file open. */
const MAX_OPEN = { all: 128, account: 32 };
/** The page's link names the version of the file. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/** `GET /map.pmtiles`: ranges of the operator's own tiles (`PORTAL_TILES`), as public as the portal's assets. */
export const MAP_TILES_ROUTE: Route = {
  method: "GET",
  path: MAP_TILES_PATH,
  access: "public",
  counted: "asset",
  compress: false,
  handler: (context) => {
    const file = context.deps.portal?.tileFile ?? null;
    if (file === null) return null;
    const shares = new AccountShares<string>(MAX_OPEN, () =>
      tooManyAtOnce("Too many tiles are being sent to your network."),
    );
    return async (request, reply) => {
      const share = shares.open(networkOf(request.ip));
      const busy = share.take(1);
      if (busy !== null) return context.refuse(request, reply, busy);
      reply.raw.once("close", () => share[Symbol.dispose]());
      const opened = await file.open().catch(() => null);
      if (opened === null) return context.refuse(request, reply, notFound());
      share.readBy(readerOf(reply.raw, MAX_RANGE_BYTES));
      return sendRange(request, reply, opened);
    };
  },
};

/** Sends one range; anything else, such as the whole file, is refused with 416. */
async function sendRange(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { handle, size, version }: OpenTileFile,
): Promise<FastifyReply> {
  const condition = headers["if-range"];
  const range =
    condition === undefined || listsTag(String(condition), version)
      ? rangeOf(headers.range ?? "", size)
      : null;
  reply
    .header("accept-ranges", "bytes")
    .header("cross-origin-resource-policy", "same-origin")
    .header("etag", `"${version}"`);
  if (range === null) {
    await handle.close();
    return reply
      .code(416)
      .header("cache-control", "no-store")
      .header("content-range", `bytes */${size}`)
      .type("text/plain; charset=utf-8")
      .send(
        `Ask for one range of up to ${MAX_RANGE_BYTES} bytes of this file, such as Range: bytes=0-16383.\n`,
      );
  }
  reply.header("cache-control", IMMUTABLE);
  if (listsTag(headers["if-none-match"] ?? "", version)) {
    await handle.close();
    return reply.code(304).send();
  }
  const { end, start } = range;
  const length = end - start + 1;
  const bytes = handle.createReadStream({ start, end });
  // Before the answer ends: the client would wait for the rest, and take the next answer for it.
  bytes.once("end", () => {
    if (bytes.bytesRead < length) reply.raw.destroy();
  });
  return reply
    .code(206)
    .header("content-length", length)
    .header("content-range", `bytes ${start}-${end}/${size}`)
    .type("application/vnd.pmtiles")
    .send(bytes);
}

/** The first and the last byte of a range (RFC 9110, 14.1.2); null if there is none, several, or one too long. */
function rangeOf(
  header: string,
  size: number,
): { readonly start: number; readonly end: number } | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? [];
  if (first === undefined || last === undefined || first + last === "")
    return null;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end =
    first === "" || last === "" ? size - 1 : Math.min(size - 1, Number(last));
  return start <= end && end - start < MAX_RANGE_BYTES ? { start, end } : null;
}
