import { SECTIONS } from "../container/descriptors.ts";
import { writeCentroids, type Centroids } from "../places/centroids.ts";
import type { PieceCounting } from "../ngrams/count-in-background.ts";
import type { DictionaryEntries } from "../dictionary/dictionary.ts";
import { entityOf, isDeactivated, writeKinds } from "../postings/kinds.ts";
import {
  encodeJson,
  type SnapshotCounts,
  type SnapshotMetadata,
} from "../metadata.ts";
import {
  writeNameIndex,
  type NameLists,
  type Names,
} from "../names/name-index.ts";
import { npiBuckets } from "../postings/npi-index.ts";
import type { OrganizationWords } from "../names/organization-words.ts";
import { writePieces } from "../ngrams/frequent-ngrams.ts";
import type { Postings } from "../postings/postings.ts";
import { release } from "../bytes/release.ts";
import { writeTaxonomyCodes } from "../dictionary/taxonomy-names.ts";
import type { SectionWriter } from "../container/section-writer.ts";
import { Entity } from "../../registry/rows/provider-row.ts";
import { RegistryFileError } from "../../registry/files/registry-file-error.ts";

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
  kind: Uint8Array;
  taxonomy: Uint16Array;
  taxonomies: DictionaryEntries;
  /** Makes the lists of documents by taxonomy when it is asked for. */
  taxonomyDocs: () => Postings;
  names: Names;
  /** The pieces of these names, being counted. */
  counting: PieceCounting;
  /** Makes the lists of names, of which the words of organizations are known. */
  lists: (words: OrganizationWords) => NameLists;
}

/** Writes the sections of NPIs; `docsByNpi` are the documents in ascending order of NPI. */
export function writeNpis(
  writer: SectionWriter,
  npi: Uint32Array,
  docsByNpi: Uint32Array,
): void {
  writer.writeGroup(SECTIONS.npis, {
    npi,
    order: docsByNpi,
    buckets: npiBuckets(npi, docsByNpi),
  });
}

/** Writes every section but those of places, cities, records and NPIs. Returns the snapshot's metadata. */
export async function writeDocuments(
  writer: SectionWriter,
  documents: Documents,
  context: BuildContext,
): Promise<SnapshotMetadata> {
  const { counting, kind, taxonomies, taxonomy, taxonomyDocs } = documents;
  const metadata = { ...context.metadata, counts: countKinds(kind) };
  writer.write(SECTIONS.metadata, encodeJson(metadata));
  writeKinds(writer, kind);
  writeTaxonomyCodes(writer, taxonomies, context.taxonomyName);
  writer.write(SECTIONS.taxonomy, taxonomy);
  writer.writeGroup(SECTIONS.taxonomyDocs, taxonomyDocs());
  const words = await counting.words();
  const lists = documents.lists(words);
  writeNameIndex(writer, documents.names, words.words, lists);
  writePieces(writer, await counting.pieces());
  release(words.uses.starts, words.uses.words);
  release(words.words.bytes, words.words.offsets);
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
