import { PAGE_HEADERS } from "../pipeline/headers.ts";

/**
 * What the portal's pages may do: load from this service alone, and from the host of the map's tiles where one is
 * configured; ask where they are. Nothing stands in the page itself, so that nothing that gets into it is run.
 */
export function portalPageHeaders(
  tiles: string | null,
): Readonly<Record<string, string>> {
  const host = tiles === null ? "" : ` ${new URL(tiles).origin}`;
  return {
    ...PAGE_HEADERS,
    "content-security-policy": [
      "default-src 'none'",
      "base-uri 'none'",
      `connect-src 'self'${host}`,
      "font-src 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      `img-src 'self' data: blob:${host}`,
      "script-src 'self'",
      "style-src 'self'",
      "worker-src 'self'",
    ].join("; "),
    "permissions-policy":
      "camera=(), geolocation=(self), microphone=(), payment=(), usb=()",
    // With no-referrer some browsers would not name the origin of what a page sends.
    "referrer-policy": "same-origin",
  };
}
