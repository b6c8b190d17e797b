import { Entity } from "../../registry/rows/provider-row.ts";
import { RegistryFileError } from "../../registry/files/registry-file-error.ts";
import { FOLDING, type Folding } from "../../text/foldings.ts";
import type { Latch } from "../../threads/latch.ts";
import type { TaxonomyTable } from "../../reference/taxonomy-table.ts";
import type { BaseSnapshot } from "../base-snapshot.ts";
import { release } from "../bytes/release.ts";
import { SECTIONS } from "../container/descriptors.ts";
import type { SectionEntry } from "../container/section-file.ts";
import { SectionWriter } from "../container/section-writer.ts";
import {
  countOf,
  Dictionary,
  draftDictionary,
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
import {
  releaseFields,
  writeNameIndex,
  type NameFields,
} from "../names/name-index.ts";
import {
  listRepeatedNgrams,
  mergeRepeatedNgrams,
  RepeatedNgrams,
  type RepeatedLists,
} from "../names/repeated-ngrams.ts";
import { countInBackground } from "../ngrams/count-in-background.ts";
import { writeFrequentNgrams } from "../ngrams/frequent-ngrams.ts";
import { writeCentroids, type Centroids } from "../places/centroids.ts";
import { writePlaces } from "../places/place-sections.ts";
import { entityOf, isDeactivated, writeKinds } from "../postings/kinds.ts";
import { npiBuckets } from "../postings/npi-index.ts";
import { groupItems } from "../postings/postings.ts";
import { countPrimaryTaxonomies } from "../postings/taxonomy-counts.ts";
import {
  emptyColumns,
  gatherColumns,
  mergeColumns,
  mergeNames,
  numberColumns,
  type Columns,
  type MergedDictionaries,
} from "./columns.ts";
import type { SnapshotDraft } from "./draft.ts";
import { firstSpellings, layOut } from "./layout.ts";
import { mergeLayouts, type MergeLayout } from "./merge-layout.ts";
import { mergeLists, mergerOfNames } from "../names/merge-names.ts";
import { mergeRecords, writeRecords } from "./write-records.ts";

const MAX_TAXONOMIES = 0xffff;

/** The inputs of a snapshot other than its rows. */
export interface BuildContext {
  /** All metadata except the counts, which are computed from the rows. */
  metadata: Omit<SnapshotMetadata, "counts">;
  /** Names the taxonomies. */
  taxonomyTable: TaxonomyTable;
  /** Called while others count names, if a thread does. */
  centroids: () => Centroids;
  /**
   * Called when the file has the documents with their places, records, kinds, and taxonomies: all that the extended
   * index is built from. `written` has the sections so far, which can be read while the rest is written. If there is a
   * `start`, it opens when there is memory for the index.
   */
  onDocuments?: (written: readonly SectionEntry[], start: Latch | null) => void;
}

/**
 * Writes a draft's rows to a new file at `path`, merged into the base if there is one. Returns the metadata of the new
 * snapshot. Documents, names and words of the base keep their order, so they are copied, not rebuilt. Dictionary
 * entries that no row uses any more stay until the next full file.
 *
 * Empties the draft and closes the base's caches: memory is freed as early as possible, to keep the peak low.
 */
export async function buildSnapshot(
  draft: SnapshotDraft,
  base: BaseSnapshot | null,
  context: BuildContext,
  path: string,
): Promise<SnapshotMetadata> {
  draft.close();
  using writer = new SectionWriter(path);
  await using opened = new AsyncDisposableStack();
  // A week keeps the folding of its base.
  const folding = base?.cities.folding ?? FOLDING;
  const cities = mergeDictionary(
    base?.cities ?? null,
    draftDictionary(draft.cities, folding, folding.foldCityBytes),
  );
  writer.writeGroup(SECTIONS.cities, cities);
  const first = firstSpellings(new Dictionary(cities));
  const cityNumbers = { first, fromBase: cities.fromBase };
  const rows = layOut(draft, cities, first);
  const added = emptyColumns(rows.entries.length);
  const gather = (from: number, to: number): void =>
    gatherColumns(added, draft, rows.entries, from, to);
  if (base !== null) gather(0, rows.entries.length);
  const merged =
    base === null ? null : mergeLayouts(base, rows, added.npi, cityNumbers);
  const { docsByNpi, unplaced, places } = merged ?? rows;

  const writeRows = (): void => {
    writePlaces(writer, places, unplaced, countOf(cities));
    if (merged === null) writeRecords(writer, draft, rows, gather);
    else mergeRecords(writer, draft, rows, merged, cityNumbers);
    draft.rows.clear();
    release(rows.entries);
  };
  const nameDocuments = () => {
    const dictionaries = mergeDictionaries(base, draft, folding);
    numberColumns(added, dictionaries);
    const { taxonomies: _, ...ofNames } = dictionaries;
    const { gone, ...columns } =
      merged === null
        ? { ...added, gone: null }
        : mergeNames(merged, added, dictionaries);
    const names = { first: columns.first, name: columns.name, ...ofNames };
    const before =
      merged === null || gone === null
        ? null
        : {
            path: merged.base.sections.path,
            runs: merged.runs.columns,
            rows: { first: added.first, name: added.name },
            docOfRow: merged.docOfRow,
            gone,
            organizations: ofNames.organizations.fromBase,
          };
    const counting = opened.use(countInBackground(names, before));
    return { dictionaries, names, counting };
  };
  // The rows of a full file leave no memory for dictionaries. For a week, names are counted while records are written.
  if (merged === null) writeRows();
  const { counting, dictionaries, names } = nameDocuments();
  if (merged !== null) writeRows();

  const { kind, middle, npi, taxonomy } = mergeColumns(
    merged,
    added,
    dictionaries,
  );
  const buckets = merged?.npiBuckets ?? npiBuckets(npi, docsByNpi);
  writer.writeGroup(SECTIONS.npis, { npi, order: docsByNpi, buckets });
  release(npi, docsByNpi);
  const metadata = { ...context.metadata, counts: countKinds(kind) };
  writer.write(SECTIONS.metadata, encodeJson(metadata));
  writeKinds(writer, kind);
  writer.write(SECTIONS.middle, middle);
  release(middle);
  const { taxonomies } = dictionaries;
  const { taxonomyTable } = context;
  writeTaxonomyTable(writer, taxonomyTable);
  writeTaxonomyCodes(writer, taxonomies, (code) => taxonomyTable.name(code));
  writer.write(SECTIONS.taxonomy, taxonomy);
  // Of a base, the index needs so much memory that it is made once names are counted.
  const start = merged === null ? null : counting.ended;
  context.onDocuments?.([...writer.written], start);
  const listTaxonomies = () => groupItems(added.taxonomy, countOf(taxonomies));
  writer.writeGroup(
    SECTIONS.taxonomyDocs,
    merged === null
      ? listTaxonomies()
      : mergeLists(
          merged,
          SECTIONS.taxonomyDocs,
          taxonomies.fromBase,
          listTaxonomies(),
        ),
  );
  writer.write(
    SECTIONS.taxonomyCounts,
    countPrimaryTaxonomies(new Dictionary(taxonomies), taxonomy, kind),
  );
  const found = await counting.words();
  const merger =
    merged === null
      ? null
      : mergerOfNames(merged, added, found.words, dictionaries);
  const fields = writeNameIndex(writer, names, found, merger);
  writeRepeatedNgrams(writer, fields, merged === null ? names : added, merged);
  releaseFields(fields);
  const centroids = context.centroids();
  const ngrams = await counting.ngrams();
  writeFrequentNgrams(writer, ngrams);
  release(found.uses.starts, found.uses.words);
  release(found.words.bytes, found.words.offsets);
  writeCentroids(writer, centroids);
  writer.finish();
  release(kind, taxonomy);
  if (merged !== null) release(merged.moved.docs);
  for (const { bytes, offsets } of Object.values(dictionaries))
    release(bytes, offsets);
  return metadata;
}

/** Writes the repeated n-grams, unless there is a base that lacks them. */
function writeRepeatedNgrams(
  writer: SectionWriter,
  fields: NameFields,
  { name }: Pick<Columns, "name">,
  merged: MergeLayout | null,
): void {
  const write = (lists: RepeatedLists): void =>
    writer.writeGroup(SECTIONS.repeatedNgrams, lists);
  if (merged === null) return write(listRepeatedNgrams(fields, name));
  const base = RepeatedNgrams.open(merged.base.sections);
  if (base === null) return;
  const rows = new RepeatedNgrams(listRepeatedNgrams(fields, name));
  write(mergeRepeatedNgrams(base, rows, merged));
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

/** The taxonomy column has 16 bits. NUCC lists about 900 codes. */
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
