import { createHash } from "node:crypto";
import { Type, type Static } from "typebox";
import { Compile } from "typebox/schema";
import type { Publication } from "../accounts/fleet/publications.ts";
import { PROVIDERS_FILE } from "../snapshot/container/section-file.ts";
import {
  DETAILS_FILE,
  ENTRIES_FILE,
} from "../snapshot/details/details-file.ts";
import { DamagedObjectError, FleetError } from "./fleet-error.ts";
import {
  manifestKey,
  PUBLICATION_KEY,
  type ObjectBytes,
  type ObjectStore,
} from "./objects/object-store.ts";

/** A manifest of 400 days of weeks has 20 KB. A larger file is none. */
const MAX_MANIFEST_BYTES = 4 << 20;
const MAX_PUBLICATION_BYTES = 64 << 10;
const MAX_FILES = 1_000;
const MAX_SETS = 10_000;
/** No file is this long; sums of lengths stay exact. */
const MAX_BYTES = 2 ** 42;

const SNAPSHOT_ID = String.raw`\d{8}T\d{9}Z`;

/** The names of a snapshot's files. They become paths, so nothing else is accepted. */
const FILE_NAME = new RegExp(
  String.raw`^(?:providers\.(?:snapshot|extended|details(?:-${SNAPSHOT_ID})?)|import-report(?:\.${SNAPSHOT_ID})?\.json|files-without-effect\.json)$`,
);

const Sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });
const SnapshotId = Type.String({ pattern: `^${SNAPSHOT_ID}$` });
const Bytes = Type.Integer({ minimum: 0, maximum: MAX_BYTES });

const ContentSchema = Type.Object({
  /** Of the unpacked bytes. */
  sha256: Sha256,
  bytes: Bytes,
  /** Bytes of the object, packed. */
  objectBytes: Bytes,
});
/** Content that the store has as an object. */
export type Content = Static<typeof ContentSchema>;

const ManifestSchema = Type.Object({
  /** Of the manifest itself. */
  format: Type.Literal(1),
  snapshot: SnapshotId,
  /** Format versions of the files. */
  formats: Type.Object({
    snapshot: Type.Integer(),
    details: Type.Integer(),
    entries: Type.Integer(),
  }),
  /** The program's version. */
  program: Type.String({ maxLength: 100 }),
  files: Type.Array(
    Type.Intersect([
      Type.Object({ name: Type.String({ pattern: FILE_NAME.source }) }),
      ContentSchema,
    ]),
    { minItems: 1, maxItems: MAX_FILES },
  ),
  /** The sets of changes that lead to the snapshot, oldest first. */
  changes: Type.Array(
    Type.Intersect([Type.Object({ snapshot: SnapshotId }), ContentSchema]),
    { maxItems: MAX_SETS },
  ),
});
/**
 * A published snapshot: its files and the changes that led to it, as objects of the store. The same snapshot and
 * objects always give the same manifest.
 */
export type Manifest = Static<typeof ManifestSchema>;

const PublicationSchema = Type.Object({
  /** From 1; each publication gets the next number. */
  epoch: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  snapshot: SnapshotId,
  /** SHA-256 of the manifest. */
  manifest: Sha256,
});

const PublicationFileSchema = Type.Object({
  format: Type.Literal(1),
  ...PublicationSchema.properties,
  /** ISO 8601 time. */
  activatedAt: Type.String({ maxLength: 40 }),
  /** The manifest of the publication before; null for the first. */
  previous: Type.Union([Sha256, Type.Null()]),
});
/** `publication.json`: which publication is served, for nodes without PostgreSQL. */
export type PublicationFile = Static<typeof PublicationFileSchema>;

const manifests = Compile(ManifestSchema);
const publications = Compile(PublicationSchema);
const publicationFiles = Compile(PublicationFileSchema);

/** The types of the files whose formats a manifest has. */
const FILE_TYPES = {
  snapshot: PROVIDERS_FILE,
  details: DETAILS_FILE,
  entries: ENTRIES_FILE,
};

/** Lists the formats of a snapshot whose own file has this version. */
export function formatsOf(snapshot: number): Manifest["formats"] {
  return {
    snapshot,
    details: DETAILS_FILE.version,
    entries: ENTRIES_FILE.version,
  };
}

/** True if a name is one of a snapshot's files that are published. */
export function isPublishedFile(name: string): boolean {
  return FILE_NAME.test(name);
}

export function encodeManifest(manifest: Manifest): Uint8Array {
  return Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`);
}

/** Returns the SHA-256 in hexadecimal. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * Parses a manifest with this SHA-256. Throws FleetError if it is another one, isn't a manifest, or is one that this
 * program can't use.
 */
export function parseManifest(
  bytes: Uint8Array,
  sha256: string,
  where: string,
): Manifest {
  const key = manifestKey(sha256);
  if (sha256Of(bytes) !== sha256)
    throw new FleetError(
      `${key} of ${where} is damaged: its SHA-256 is ${sha256Of(bytes)}. It is fetched again; if this continues, run publish --force.`,
    );
  const manifest = parseJson(bytes);
  refuseOtherFormats(manifest, key, where);
  if (!manifests.Check(manifest) || hasDuplicates(manifest))
    throw new FleetError(
      `${key} of ${where} is not a manifest of a snapshot. Check who can write to the store, and publish again.`,
    );
  return manifest;
}

/** Reads a manifest of a store, and its bytes. Throws FleetError, also if there is none. */
export async function readManifest(
  objects: ObjectStore,
  sha256: string,
  signal: AbortSignal,
): Promise<{ manifest: Manifest; bytes: Uint8Array }> {
  const key = manifestKey(sha256);
  const bytes = await readWhole(objects, key, MAX_MANIFEST_BYTES, signal);
  if (bytes === null)
    throw new FleetError(
      `The snapshot store ${objects.name} has no ${key}. Check that SNAPSHOT_STORE is the publisher's store, or publish again.`,
    );
  return { manifest: parseManifest(bytes, sha256, objects.name), bytes };
}

/** Parses a publication of a data folder; null if it isn't one. */
export function parsePublication(bytes: Uint8Array): Publication | null {
  const publication = parseJson(bytes);
  return publications.Check(publication) ? publication : null;
}

/** Reads `publication.json`; null if nothing was published. Throws FleetError, DamagedObjectError if it is damaged. */
export async function readPublicationFile(
  objects: ObjectStore,
  signal: AbortSignal,
): Promise<PublicationFile | null> {
  const bytes = await readWhole(
    objects,
    PUBLICATION_KEY,
    MAX_PUBLICATION_BYTES,
    signal,
  );
  if (bytes === null) return null;
  const publication = parseJson(bytes);
  if (publicationFiles.Check(publication)) return publication;
  throw new DamagedObjectError(
    `${PUBLICATION_KEY} of ${objects.name} is damaged, or from a newer version of this program. Publish again, or upgrade.`,
    PUBLICATION_KEY,
  );
}

export async function writePublicationFile(
  objects: ObjectStore,
  publication: PublicationFile,
  signal: AbortSignal,
): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(publication, null, 1)}\n`);
  await objects.write(PUBLICATION_KEY, once(bytes), signal);
}

/** Yields a single chunk, as content of an object. */
export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

/** Reads a small object's bytes; null if there is none. Throws DamagedObjectError if it is longer than `most`. */
function readWhole(
  objects: ObjectStore,
  key: string,
  most: number,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  return objects.read(key, 0, signal, async ({ body }: ObjectBytes) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > most)
        throw new DamagedObjectError(
          `${key} of ${objects.name} is larger than ${most >> 10} KB, so it is not what its name says. Check who can write to the store.`,
          key,
        );
      chunks.push(Uint8Array.from(chunk));
    }
    return Buffer.concat(chunks);
  });
}

/** Returns undefined if it isn't JSON. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Says what a manifest of another version is, before its shape is checked. */
function refuseOtherFormats(
  manifest: unknown,
  key: string,
  where: string,
): void {
  const members = membersOf(manifest);
  const { format, program } = members;
  const version = typeof program === "string" ? program.slice(0, 40) : "?";
  const written = `${key} of ${where} was written by version ${version}`;
  if (typeof format === "number" && Number.isInteger(format) && format > 1)
    throw new FleetError(
      `${written} in manifest format ${format}, but this program reads 1. Upgrade this node.`,
    );
  const formats = membersOf(members["formats"]);
  for (const [file, { oldest, version: known }] of Object.entries(FILE_TYPES)) {
    const found = formats[file];
    if (typeof found === "number" && (found < oldest || found > known))
      throw new FleetError(
        `${written} in ${file} format ${found}, but this program reads ${known}. Run the same version on importer and nodes; until then this node keeps what it has.`,
      );
  }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** True if two files or two sets have one name, or there is no snapshot's file. */
function hasDuplicates({ changes, files }: Manifest): boolean {
  const names = new Set(files.map(({ name }) => name));
  const sets = new Set(changes.map(({ snapshot }) => snapshot));
  return (
    names.size < files.length ||
    sets.size < changes.length ||
    !names.has("providers.snapshot")
  );
}
