import { writeCentroids, type Centroids } from "./centroids.ts";
import type { Columns } from "./columns.ts";
import { countOf, Dictionary, type DictionaryEntries } from "./dictionary.ts";
import { entityOf, isDeactivated, writeKinds } from "./kinds.ts";
import type { SnapshotCounts, SnapshotMetadata } from "./metadata.ts";
import { npiBuckets } from "./npi-index.ts";
import { writeNameIndex } from "./name-index.ts";
import { organizationWords } from "./organization-words.ts";
import { countPiecesAside } from "./count-pieces-aside.ts";
import { writePieces } from "./pieces.ts";
import { groupItems, writePostings } from "./postings.ts";
import { encodeJson, writeTaxonomyCodes } from "./taxonomy-names.ts";
import type { SectionWriter } from "./section-writer.ts";
import { Entity } from "../registry/provider-row.ts";
import { RegistryFileError } from "../registry/registry-file-error.ts";

const MAX_TAXONOMIES = 0xffff;

/** What a snapshot needs besides its rows. */
export interface BuildContext {
  /** All of the metadata but the counts, which come from the rows. */
  metadata: Omit<SnapshotMetadata, "counts">;
  /** The display name of a taxonomy code in upper case, or null. */
  taxonomyName: (code: string) => string | null;
  centroids: Centroids;
}

/** All documents of a snapshot but their places, records and NPIs. */
export interface Documents {
  columns: Omit<Columns, "npi">;
  taxonomies: DictionaryEntries;
  lastNames: DictionaryEntries;
  firstNames: DictionaryEntries;
  organizations: DictionaryEntries;
}

/** Writes the sections of NPIs; `docsByNpi` are the documents in ascending order of NPI. */
export function writeNpis(
  writer: SectionWriter,
  npi: Uint32Array,
  docsByNpi: Uint32Array,
): void {
  writer.write("npi", npi);
  writer.write("npi.order", docsByNpi);
  writer.write("npi.buckets", npiBuckets(npi, docsByNpi));
}

/** Writes every section but those of places, cities, records and NPIs. Returns the snapshot's metadata. */
export async function writeDocuments(
  writer: SectionWriter,
  documents: Documents,
  context: BuildContext,
): Promise<SnapshotMetadata> {
  const { columns, taxonomies } = documents;
  const metadata = {
    ...context.metadata,
    counts: countKinds(columns.kind),
  };
  writer.write("metadata", encodeJson(metadata));
  writeKinds(writer, columns.kind);
  writeTaxonomies(writer, taxonomies, columns.taxonomy, context.taxonomyName);
  await writeNames(writer, documents);
  writeCentroids(writer, context.centroids);
  return metadata;
}

/** The column of taxonomies has 16 bits. NUCC lists some nine hundred. */
export function refuseTaxonomies(count: number): void {
  if (count <= MAX_TAXONOMIES) return;
  throw new RegistryFileError(
    `The rows name ${count} different taxonomy codes, and a snapshot holds ${MAX_TAXONOMIES} at most: the file is not what the registry publishes; get it anew.`,
  );
}

function writeTaxonomies(
  writer: SectionWriter,
  codes: DictionaryEntries,
  column: Uint16Array,
  nameOf: BuildContext["taxonomyName"],
): void {
  writeTaxonomyCodes(writer, codes, nameOf);
  writer.write("taxonomy", column);
  writePostings(writer, "taxonomy.docs", groupItems(column, countOf(codes)));
}

async function writeNames(
  writer: SectionWriter,
  { columns, firstNames, lastNames, organizations }: Documents,
): Promise<void> {
  const { first, name } = columns;
  const { uses, words } = organizationWords(
    new Dictionary(organizations.bytes, organizations.offsets),
  );
  await using counting = countPiecesAside({
    name,
    first,
    lasts: lastNames,
    firsts: firstNames,
    words,
    uses,
  });
  writeNameIndex(
    writer,
    { name, first, firstNames, lastNames, organizations },
    { uses, words },
  );
  writePieces(writer, await counting.pieces());
}

function countKinds(kinds: Uint8Array): SnapshotCounts {
  const counts = {
    providers: kinds.length,
    individuals: 0,
    organizations: 0,
    deactivated: 0,
    withheld: 0,
  };
  for (let doc = 0; doc < kinds.length; doc++) {
    const kind = kinds[doc]!;
    const entity = entityOf(kind);
    if (entity === Entity.individual) counts.individuals++;
    else if (entity === Entity.organization) counts.organizations++;
    else counts.withheld++;
    if (isDeactivated(kind)) counts.deactivated++;
  }
  return counts;
}
