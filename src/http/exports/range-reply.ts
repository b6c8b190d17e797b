import type { FileHandle } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import {
  bodiless,
  content,
  type BodyStream,
  type Call,
  type Reply,
} from "../call.ts";
import { listsTag, matchesAny } from "../pipeline/conditional.ts";
import type { HeaderList } from "../pipeline/headers.ts";

/** A file whose bytes are sent. */
export interface SentFile {
  /** In bytes. */
  readonly size: number;
  /** Its entity tag, which changes with its bytes. */
  readonly tag: string;
  readonly contentType: string;
  /** Headers of every response with its bytes, or about them. */
  readonly headers: HeaderList;
}

/** The first and the last byte of a range. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** True if a client has a current copy of a file. */
export function hasCopy({ headers }: Call, { tag }: SentFile): boolean {
  const known = headers["if-none-match"] ?? "";
  return matchesAny(known) || listsTag(known, tag);
}

/**
 * Reads the range that a client asks for, if its copy of the other bytes is current (RFC 9110, 14.2): null for none,
 * several, a unit other than bytes, or another method than GET; "unsatisfiable" if it has no byte of the file.
 */
export function rangeOf(
  { headers, method }: Call,
  { size, tag }: SentFile,
): ByteRange | "unsatisfiable" | null {
  if (method !== "GET") return null;
  const condition = headers["if-range"];
  if (condition !== undefined && !isStrongly(String(condition), tag))
    return null;
  const [, first, last] =
    /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(headers.range ?? "") ?? [];
  if (first === undefined || last === undefined || first + last === "")
    return null;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end =
    first === "" || last === "" ? size - 1 : Math.min(size - 1, Number(last));
  if (first !== "" && last !== "" && Number(last) < Number(first)) return null;
  return start <= end ? { start, end } : "unsatisfiable";
}

/** True if a condition is the entity tag, by strong comparison. */
function isStrongly(condition: string, tag: string): boolean {
  return condition.trim() === `"${tag}"`;
}

/** Makes the headers of all responses about a file. */
export function fileHeaders({ headers, tag }: SentFile): HeaderList {
  return ["accept-ranges", "bytes", "etag", `"${tag}"`, ...headers];
}

/** Makes the response to a client that has a current copy. */
export function unchanged(file: SentFile): Reply {
  return bodiless(304, fileHeaders(file));
}

/** Makes the response with a range of a file, or with all of it. The caller closes the handle after the response. */
export function bytesReply(
  handle: FileHandle,
  file: SentFile,
  range: ByteRange | null,
): Reply {
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  const length = end - start + 1;
  const headers = [...fileHeaders(file), "content-length", String(length)];
  if (range !== null)
    headers.push("content-range", `bytes ${start}-${end}/${file.size}`);
  const body: BodyStream = {
    async send(response) {
      if (length > 0) {
        const bytes = handle.createReadStream({ start, end, autoClose: false });
        try {
          await pipeline(bytes, response, { end: false });
        } catch {
          response.destroy();
        }
        // With fewer bytes, the client would take the next answer for them.
        if (bytes.bytesRead < length) response.destroy();
      }
      if (!response.destroyed) response.end();
      return {};
    },
  };
  return content(body, file.contentType, headers, range === null ? 200 : 206);
}
