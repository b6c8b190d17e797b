import { pipeline } from "node:stream/promises";
import { MAP_TILES_PATH } from "../../site/portal-config.ts";
import { networkOf } from "../access/client-address.ts";
import {
  AccountShares,
  readerOf,
  tooManyAtOnce,
} from "../limits/account-share.ts";
import type { OpenTileFile } from "../pages/tile-file.ts";
import { listsTag } from "../pipeline/conditional.ts";
import {
  bodiless,
  content,
  type BodyStream,
  type Call,
  type Reply,
} from "../call.ts";
import { must, notFound, Refusal } from "../pipeline/failure.ts";
import { TEXT_TYPE } from "../pipeline/headers.ts";
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
  handler: ({ deps }) => {
    const file = deps.portal?.tileFile ?? null;
    if (file === null) return null;
    const shares = new AccountShares<string>(MAX_OPEN, () =>
      tooManyAtOnce("Too many tiles are being sent to your network."),
    );
    return async (call) => {
      const share = shares.open(networkOf(call.ip));
      must(share.take(1));
      call.response.once("close", () => share[Symbol.dispose]());
      const opened = await file.open().catch(() => null);
      if (opened === null) throw new Refusal(notFound());
      const close = (): void => void opened.handle.close();
      if (call.isGone) close();
      else call.response.once("close", close);
      share.readBy(readerOf(call.response, MAX_RANGE_BYTES));
      return rangeReply(call, opened);
    };
  },
};

/** Answers with one range; anything else, such as the whole file, is refused with 416. */
function rangeReply(
  { headers }: Call,
  { handle, size, version }: OpenTileFile,
): Reply {
  const condition = headers["if-range"];
  const range =
    condition === undefined || listsTag(String(condition), version)
      ? rangeOf(headers.range ?? "", size)
      : null;
  const own = [
    "accept-ranges",
    "bytes",
    "cross-origin-resource-policy",
    "same-origin",
    "etag",
    `"${version}"`,
  ];
  if (range === null) {
    const text = `Ask for one range of up to ${MAX_RANGE_BYTES} bytes of this file, such as Range: bytes=0-16383.\n`;
    own.push("cache-control", "no-store", "content-range", `bytes */${size}`);
    return content(text, TEXT_TYPE, own, 416);
  }
  own.push("cache-control", IMMUTABLE);
  if (listsTag(headers["if-none-match"] ?? "", version))
    return bodiless(304, own);
  const { end, start } = range;
  const length = end - start + 1;
  own.push("content-length", String(length));
  own.push("content-range", `bytes ${start}-${end}/${size}`);
  const body: BodyStream = {
    async send(response) {
      const bytes = handle.createReadStream({ start, end, autoClose: false });
      try {
        await pipeline(bytes, response, { end: false });
        // With fewer bytes, the client would take the next answer for them.
        if (bytes.bytesRead < length) response.destroy();
        else response.end();
      } catch {
        response.destroy();
      }
      return {};
    },
  };
  return content(body, "application/vnd.pmtiles", own, 206);
}

/** Reads the first and the last byte of a range (RFC 9110, 14.1.2); null if there is none, several, or one too long. */
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
