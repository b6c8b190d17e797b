import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SnapshotStore } from "../../store/store.ts";
import { FleetError } from "../fleet-error.ts";
import { parseManifest, type Manifest } from "../manifest.ts";

/** A copy of the manifest in the folder of a snapshot that was pulled, or compared with a publication. */
export const MANIFEST_FILE = "manifest.json";

/** A published snapshot: its ID, and the SHA-256 of its manifest. */
export interface Published {
  readonly snapshot: string;
  readonly manifest: string;
}

/**
 * True if a data folder has a published snapshot: with a copy of its manifest, and all of its files in their lengths.
 * Their bytes were checked when the copy was written.
 */
export function isHeld(store: SnapshotStore, published: Published): boolean {
  const folder = store.dirOf(published.snapshot);
  const manifest = heldManifest(folder, published);
  return (
    manifest !== null &&
    manifest.files.every(
      ({ bytes, name }) =>
        statSync(join(folder, name), { throwIfNoEntry: false })?.size === bytes,
    )
  );
}

function heldManifest(folder: string, published: Published): Manifest | null {
  try {
    const bytes = readFileSync(join(folder, MANIFEST_FILE));
    const manifest = parseManifest(bytes, published.manifest, folder);
    return manifest.snapshot === published.snapshot ? manifest : null;
  } catch (error) {
    if (error instanceof FleetError) return null;
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return null;
    throw error;
  }
}
