import { Entity } from "../../registry/rows/provider-row.ts";
import { RegistryFileError } from "../../registry/files/registry-file-error.ts";
import { FOLDING, type Folding } from "../../text/foldings.ts";
import type { TaxonomyTable } from "../../reference/taxonomy-table.ts";
import type { BaseSnapshot } from "../base-snapshot.ts";
import { release } from "../bytes/once.ts";
import { SECTIONS } from "../container/descriptors.ts";
import type { SectionEntry } from "../container/section-file.ts";
import {
  SectionFileWriter,
  type SectionWriter,
} from "../container/section-writer.ts";
import {
  countOf,
  Dictionary,
  draftDictionary,
  type DictionaryEntries,
} from "../dictionary/dictionary.ts";
import { mergeDictionary } from "../dictionary/merged-dictionary.ts";
import {
  writeTaxonomyCodes,
  writeTaxonomyTable,
} from "../dictionary/taxonomy-names.ts";
import {
  encodeJson,
  type SnapshotCounts,
  type SnapshotMetadata,
} from "../metadata.ts";
import { writeCentroids, type Centroids } from "../places/centroids.ts";
import { entityOf, isDeactivated, writeKinds } from "../postings/kinds.ts";
import {
  emptyColumns,
  gatherColumns,
  mergeColumns,
  numberColumns,
  type MergedDictionaries,
} from "./columns.ts";
import type { SnapshotDraft } from "./draft.ts";
import { firstSpellings, layOut } from "./layout.ts";
import { mergeRecords, writeRecords } from "./write-records.ts";
import { releaseAll, writeNameIndex, type Names } from "../names/name-index.ts";
import { orderByName } from "../names/name-order.ts";
import { organizationWords } from "../names/organization-words.ts";
import { countFrequentNgrams } from "../ngrams/count-frequent-ngrams.ts";
import { writeFrequentNgrams } from "../ngrams/frequent-ngrams.ts";
import {
  writePlaces,
  type PlaceColumns,
  type UnplacedColumns,
} from "../places/places.ts";
import { writeNpis } from "../postings/npi-index.ts";
import { groupItems } from "../postings/postings.ts";
import { countPrimaryTaxonomies } from "../postings/taxonomy-counts.ts";

const MAX_TAXONOMIES = 0xffff;

/** The inputs of a snapshot other than its rows. */
export interface BuildContext {
  /** All metadata except the counts, which are computed from the rows. */
  metadata: Omit<SnapshotMetadata, "counts">;
  /** Names the taxonomies. */
  taxonomyTable: TaxonomyTable;
  /** Returns the centroids. Called while others count names, if a thread does. */
  centroids: () => Centroids;
  /**
   * Runs when the file has the documents with their places, records, kinds, and taxonomies, all that the extended index
   * is built from. `written` has the sections so far, which can be read while the rest is written.
   */
  onDocuments?: (written: readonly SectionEntry[]) => void;
}

/**
 * Writes a draft's rows to a new file at `path`, merged into the base if there is one. Returns the metadata of the new
 * snapshot. Of a base, only primary data is merged: its documents and dictionary entries keep their order, so columns and
 * records are copied in runs. Dictionary entries that no row uses any more stay until the next full file.
 *
 * Empties the draft and closes the base's caches: memory is freed as early as possible, to keep the peak low.
 */
export function buildSnapshot(
  draft: SnapshotDraft,
  base: BaseSnapshot | null,
  context: BuildContext,
  path: string,
): SnapshotMetadata {
  draft.close();
  using writer = new SectionFileWriter(path);
  // A week keeps the folding of its base.
  const folding = base?.cities.folding ?? FOLDING;
  const cities = mergeDictionary(
    base?.cities ?? null,
    draftDictionary(draft.cities, folding, folding.foldCityBytes),
  );
  writer.writeGroup(SECTIONS.cities, cities);
  const first = firstSpellings(new Dictionary(cities));
  const cityNumbers = { first, fromBase: cities.fromBase };
  const rows = layOut(draft, base, cities, cityNumbers);
  const { merged, places, unplaced } = rows;
  const added = emptyColumns(rows.entries.length);
  const gather = (from: number, to: number): void =>
    gatherColumns(added, draft, rows.entries, from, to);
  if (merged !== null) gather(0, rows.entries.length);

  // The rows leave no memory for the dictionaries of a full file.
  if (merged === null) writeRecords(writer, draft, rows, gather);
  else mergeRecords(writer, draft, rows, merged, cityNumbers);
  draft.rows.clear();
  release(rows.entries);
  const dictionaries = mergeDictionaries(base, draft, folding);
  numberColumns(added, dictionaries);
  const columns =
    merged === null ? added : mergeColumns(merged, added, dictionaries);
  const { taxonomies } = dictionaries;

  writer.write(SECTIONS.middle, columns.middle);
  release(columns.middle);
  const metadata = { ...context.metadata, counts: countKinds(columns.kind) };
  writer.write(SECTIONS.metadata, encodeJson(metadata));
  const { taxonomyTable } = context;
  writeTaxonomyTable(writer, taxonomyTable);
  writeTaxonomyCodes(writer, taxonomies, (code) => taxonomyTable.name(code));
  writeCentroids(writer, context.centroids());
  writeDerived(
    writer,
    { ...columns, ...dictionaries, cities, places, unplaced },
    () => context.onDocuments?.([...writer.written]),
  );
  writer.finish();
  for (const { bytes, offsets } of Object.values(dictionaries))
    release(bytes, offsets);
  return metadata;
}

/** Frees the dictionaries of the base. */
function mergeDictionaries(
  base: BaseSnapshot | null,
  draft: SnapshotDraft,
  folding: Folding,
): MergedDictionaries {
  const merge = (name: keyof MergedDictionaries) =>
    mergeDictionary(
      base?.[name] ?? null,
      draftDictionary(draft[name], folding),
    );
  const merged = {
    taxonomies: merge("taxonomies"),
    lastNames: merge("lastNames"),
    firstNames: merge("firstNames"),
    organizations: merge("organizations"),
  };
  base?.forgetDictionaries();
  refuseTaxonomies(countOf(merged.taxonomies));
  return merged;
}

/** Throws RegistryFileError if the taxonomy column's 16 bits are too few. NUCC lists about 900 codes. */
function refuseTaxonomies(count: number): void {
  if (count <= MAX_TAXONOMIES) return;
  throw new RegistryFileError(
    `The rows have ${count} different taxonomy codes, and a snapshot can have at most ${MAX_TAXONOMIES}. This is not the registry's file. Download it again.`,
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

/** The primary data that other sections are derived from (FORMAT.md, "Primary and derived sections"). */
interface PrimaryData extends Names {
  npi: Uint32Array;
  kind: Uint8Array;
  taxonomy: Uint16Array;
  taxonomies: DictionaryEntries;
  places: PlaceColumns;
  unplaced: UnplacedColumns;
  cities: DictionaryEntries;
}

/**
 * Writes the primary columns, places, and dictionaries of names, and everything that is derived from them.
 * `onDocuments` is called when the file has the sections of `BuildContext.onDocuments`. Frees the columns.
 */
export function writeDerived(
  writer: SectionWriter,
  primary: PrimaryData,
  onDocuments: () => void,
): void {
  const { cities, kind, name, npi, taxonomies, taxonomy } = primary;
  const first = firstSpellings(new Dictionary(cities));
  writePlaces(writer, primary.places, primary.unplaced, first);
  const docsByNpi = writeNpis(writer, npi);
  release(npi);
  writeKinds(writer, kind);
  writer.write(SECTIONS.taxonomy, taxonomy);
  onDocuments();
  const nameOrder = orderByName(primary, docsByNpi);
  writer.write(SECTIONS.nameOrder, nameOrder);
  release(docsByNpi, nameOrder);
  const taxonomyDocs = groupItems(taxonomy, countOf(taxonomies));
  writer.writeGroup(SECTIONS.taxonomyDocs, taxonomyDocs);
  release(taxonomyDocs.items);
  writer.write(
    SECTIONS.taxonomyCounts,
    countPrimaryTaxonomies(new Dictionary(taxonomies), taxonomy, kind),
  );
  release(kind, taxonomy);
  const words = organizationWords(new Dictionary(primary.organizations));
  writeNameIndex(writer, primary, words);
  writeFrequentNgrams(writer, countFrequentNgrams(primary, words));
  releaseAll(words);
  release(name, primary.first);
}
