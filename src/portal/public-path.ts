/**
 * Returns the path of an address on this host for a path of the service: below the service's prefix (`/npi/guide` for
 * `/guide`). Other addresses stay as they are, such as `#id` and URLs.
 */
export function publicPath(path: string): string {
  return path.startsWith("/") ? prefix() + path : path;
}

/** Returns the path of the service for one of this host, as `publicPath` had it. Other addresses stay as they are. */
export function servicePath(path: string): string {
  return path.startsWith("/") && path.startsWith(`${prefix()}/`)
    ? path.slice(prefix().length)
    : path;
}

/** Returns the service's URL, without a trailing slash. */
export function serviceUrl(): string {
  return location.origin + prefix();
}

/** Returns the path below which the page's host has the service; empty for its root. */
function prefix(): string {
  return document.documentElement.dataset["prefix"] ?? "";
}
