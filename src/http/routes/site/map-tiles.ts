import { MAP_TILES_PATH } from "../../../site/portal-config.ts";
import { networkOf } from "../../access/client-address.ts";
import {
  AccountShares,
  readerOf,
  tooManyAtOnce,
} from "../../limits/account-share.ts";
import type { OpenTileFile } from "../../pages/tile-file.ts";
import { content, type Call, type Reply } from "../../call.ts";
import {
  bytesReply,
  fileHeaders,
  hasCopy,
  rangeOf,
  unchanged,
  type SentFile,
} from "../../exports/range-reply.ts";
import { must, notFound, Refusal } from "../../pipeline/failure.ts";
import { TEXT_TYPE, withHeaders } from "../../pipeline/headers.ts";
import type { Route } from "../route.ts";

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
  call: Call,
  { handle, size, version }: OpenTileFile,
): Reply {
  const file: SentFile = {
    size,
    tag: version,
    contentType: "application/vnd.pmtiles",
    headers: [
      "cross-origin-resource-policy",
      "same-origin",
      "cache-control",
      IMMUTABLE,
    ],
  };
  const range = rangeOf(call, file);
  if (
    range === null ||
    range === "unsatisfiable" ||
    range.end - range.start >= MAX_RANGE_BYTES
  ) {
    const text = `Ask for one range of up to ${MAX_RANGE_BYTES} bytes of this file, such as Range: bytes=0-16383.\n`;
    const headers = withHeaders(
      [...fileHeaders(file)],
      ["cache-control", "no-store", "content-range", `bytes */${size}`],
    );
    return content(text, TEXT_TYPE, headers, 416);
  }
  return hasCopy(call, file)
    ? unchanged(file)
    : bytesReply(handle, file, range);
}
