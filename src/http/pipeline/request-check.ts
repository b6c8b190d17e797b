import type { IncomingMessage } from "node:http";
import type { Failure } from "./failure.ts";
import { MAX_HEADER_BYTES, MAX_URL_BYTES } from "../limits/server-limits.ts";

/** Only these characters can make a target invalid, and most targets have neither. Node rejects bytes above ASCII. */
const SUSPECT = /[%#]/;
/** ": " and the line break. */
const HEADER_LINE_BYTES = 4;

/** Checks the size, encoding and Host of a request, before routing. Null if they are valid. */
export function checkRequest(request: IncomingMessage): Failure | null {
  const target = request.url ?? "";
  if (target.length > MAX_URL_BYTES) return uriTooLong();
  const { hosts, bytes } = measureHeaders(request.rawHeaders);
  if (bytes > MAX_HEADER_BYTES) return headersTooLarge();
  if (hosts > 1) return malformed("The request has more than one Host header.");
  if (hosts === 0 && request.httpVersion !== "1.0")
    return malformed("The request has no Host header.");
  return SUSPECT.test(target) ? checkTarget(target) : null;
}

/** Makes a failure for an unreadable request; `message` says why. */
export function malformed(message: string): Failure {
  return { code: "malformed_request", message };
}

export function notUtf8(): Failure {
  return malformed("The URL is not percent-encoded UTF-8.");
}

export function uriTooLong(): Failure {
  return {
    code: "uri_too_long",
    message: `The URL's path and query are longer than ${MAX_URL_BYTES} bytes.`,
  };
}

export function headersTooLarge(): Failure {
  return {
    code: "headers_too_large",
    message: `The request headers are larger than ${MAX_HEADER_BYTES} bytes.`,
  };
}

/** Percent-decodes a request target or a part of it; null if it is not UTF-8. */
export function decodeTarget(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Checks the encoding of a request target. Null if it is valid. */
export function checkTarget(target: string): Failure | null {
  if (target.includes("#"))
    return malformed("The URL has a #. Send it as %23.");
  const decoded = decodeTarget(target);
  if (decoded === null) return notUtf8();
  return decoded.includes("\0")
    ? malformed("The URL has a NUL character.")
    : null;
}

function measureHeaders(rawHeaders: readonly string[]): {
  hosts: number;
  bytes: number;
} {
  let hosts = 0;
  let bytes = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
    bytes += name.length + rawHeaders[i + 1]!.length + HEADER_LINE_BYTES;
  }
  return { hosts, bytes };
}
