/**
 * Returns the path below which browsers reach the service: `/npi` for the public URL `https://clinic.example/npi`;
 * empty at the root of a host, and without a public URL.
 */
export function prefixOf(publicUrl: string | null): string {
  return publicUrl === null
    ? ""
    : new URL(publicUrl).pathname.replace(/\/$/, "");
}

/** Returns the path at which browsers reach a path of the service: `/npi/guide` for `/guide`. */
export function publicPath(publicUrl: string | null, path: string): string {
  return prefixOf(publicUrl) + path;
}
