import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Publication } from "../accounts/fleet/publications.ts";
import { formatJson, replaceDurably } from "../store/durable-files.ts";
import { parsePublication } from "./manifest.ts";

/** The publication that a node last made current, in its data folder. */
export const APPLIED_FILE = "publication.json";
/** The publication that a publisher last published, in its data folder. */
export const PUBLISHED_FILE = "published.json";

type KeptFile = typeof APPLIED_FILE | typeof PUBLISHED_FILE;

/** Reads a publication that a data folder keeps. Null if there is none, or after `onDamage` if the file is damaged. */
export function readKept(
  dataDir: string,
  name: KeptFile,
  onDamage: (message: string) => void,
): Publication | null {
  const path = join(dataDir, name);
  if (!existsSync(path)) return null;
  const publication = parsePublication(readFileSync(path));
  if (publication === null)
    onDamage(`${path} is damaged, so the publication in it is unknown.`);
  return publication;
}

/** Replaces a publication that a data folder keeps. */
export function keep(
  dataDir: string,
  name: KeptFile,
  { epoch, manifest, snapshot }: Publication,
): void {
  replaceDurably(dataDir, name, formatJson({ epoch, manifest, snapshot }));
}
