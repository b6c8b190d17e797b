import { createHmac, timingSafeEqual } from "node:crypto";

/** The length of a tag, in characters: 132 bits in base64url. */
const TAG_LENGTH = 22;

/** Signs the parts of a cookie, by the installation's secret and what the cookie is for. */
export function cookieTag(
  secret: string,
  use: string,
  parts: readonly string[],
): string {
  return createHmac("sha256", `${use} ${secret}`)
    .update(parts.join("\n"))
    .digest("base64url")
    .slice(0, TAG_LENGTH);
}

/** Compares two tags in constant time. */
export function isSameTag(given: string, right: string): boolean {
  return (
    given.length === TAG_LENGTH &&
    timingSafeEqual(Buffer.from(given), Buffer.from(right))
  );
}
