import type { BaseSnapshot } from "./base-snapshot.ts";
import {
  emptyColumns,
  gatherColumns,
  numberColumns,
  type Columns,
} from "./columns.ts";
import {
  Dictionary,
  draftDictionary,
  foldCityBytes,
  writeDictionary,
} from "./dictionary.ts";
import {
  refuseTaxonomies,
  writeDocuments,
  writeNpis,
  type BuildContext,
} from "./document-sections.ts";
import type { SnapshotDraft } from "./draft.ts";
import { firstSpellings, layOut } from "./layout.ts";
import { mergeDictionary, type MergedDictionary } from "./merged-dictionary.ts";
import { mergeLayouts, type MergeLayout } from "./merge-layout.ts";
import { mergeRecords } from "./merge-records.ts";
import type { SnapshotMetadata } from "./metadata.ts";
import { writePlaces } from "./place-sections.ts";
import { release } from "./release.ts";
import { SectionWriter } from "./section-writer.ts";

/** The dictionaries that the columns refer to, merged. */
interface Dictionaries {
  taxonomies: MergedDictionary;
  lastNames: MergedDictionary;
  firstNames: MergedDictionary;
  organizations: MergedDictionary;
}

/**
 * Writes the base with a draft's rows merged into it to a new file at `path` and returns the new snapshot's metadata. The
 * base's documents stay in their order, its numbers of names and words in theirs, so that they are copied along rather
 * than made anew. What no row uses any more stays in the dictionaries until the next full file. The base forgets what
 * it holds as soon as that is copied, because its memory is needed then.
 */
export async function mergeSnapshot(
  base: BaseSnapshot,
  draft: SnapshotDraft,
  context: BuildContext,
  path: string,
): Promise<SnapshotMetadata> {
  draft.close();
  using writer = new SectionWriter(path);
  const dictionaries = mergeDictionaries(base, draft);
  const columns = mergeRows(writer, base, draft, dictionaries);
  const documents = { columns, ...dictionaries };
  const metadata = await writeDocuments(writer, documents, context);
  writer.finish();
  return metadata;
}

/** Writes cities, places, records and NPIs of both; what else there is to say is returned, by document. */
function mergeRows(
  writer: SectionWriter,
  base: BaseSnapshot,
  draft: SnapshotDraft,
  dictionaries: Dictionaries,
): Omit<Columns, "npi"> {
  const cities = mergeDictionary(
    base.cities,
    draftDictionary(draft.cities, foldCityBytes),
  );
  writeDictionary(writer, "city", cities);
  const { fromBase } = cities;
  const first = firstSpellings(new Dictionary(cities.bytes, cities.offsets));
  const rows = layOut(draft, cities);
  const added = emptyColumns(rows.entries.length);
  gatherColumns(added, draft.rows, rows.entries, 0, rows.entries.length);
  numberColumns(added, dictionaries);
  const layout = mergeLayouts(base, rows, added.npi, { first, fromBase });
  writePlaces(writer, layout.places, layout.loose, first.length - 1);
  mergeRecords(writer, base, draft, rows, layout, { first, fromBase });
  const { npi, ...columns } = mergeColumns(base, added, layout, dictionaries);
  writeNpis(writer, npi, layout.docsByNpi);
  release(npi, layout.docsByNpi);
  return columns;
}

function mergeDictionaries(
  base: BaseSnapshot,
  draft: SnapshotDraft,
): Dictionaries {
  const merged = {
    taxonomies: mergeDictionary(
      base.taxonomies,
      draftDictionary(draft.taxonomies),
    ),
    lastNames: mergeDictionary(
      base.lastNames,
      draftDictionary(draft.lastNames),
    ),
    firstNames: mergeDictionary(
      base.firstNames,
      draftDictionary(draft.firstNames),
    ),
    organizations: mergeDictionary(
      base.organizations,
      draftDictionary(draft.organizations),
    ),
  };
  base.forgetDictionaries();
  refuseTaxonomies(merged.taxonomies.offsets.length - 2);
  return merged;
}

function mergeColumns(
  base: BaseSnapshot,
  added: Columns,
  { sources }: MergeLayout,
  { firstNames, lastNames, organizations, taxonomies }: Dictionaries,
): Columns {
  const { sections } = base;
  const columns = emptyColumns(sources.length);
  merge(columns.npi, sources, base.npi, added.npi);
  merge(columns.kind, sources, base.kind, added.kind);
  base.forget();
  const taxonomy = renumbered(sections.uint16("taxonomy"), taxonomies.fromBase);
  merge(columns.taxonomy, sources, taxonomy, added.taxonomy);
  release(taxonomy);
  const first = renumbered(sections.uint32("first"), firstNames.fromBase);
  merge(columns.first, sources, first, added.first);
  release(first);
  const name = sections.uint32("name");
  renumberNames(name, lastNames, organizations);
  merge(columns.name, sources, name, added.name);
  release(name, sources);
  return columns;
}

/** Takes each document's value from where it comes from. */
function merge<T extends Uint8Array | Uint16Array | Uint32Array>(
  target: T,
  sources: Uint32Array,
  base: T,
  added: T,
): void {
  const count = base.length;
  for (let doc = 0; doc < sources.length; doc++) {
    const source = sources[doc]!;
    target[doc] = source < count ? base[source]! : added[source - count]!;
  }
}

/** Puts the numbers of now into a column, in place. */
function renumbered<T extends Uint16Array | Uint32Array>(
  column: T,
  fromBase: Uint32Array,
): T {
  for (let doc = 0; doc < column.length; doc++)
    column[doc] = fromBase[column[doc]!]!;
  return column;
}

/** The same for the column `name`, in which organizations stand behind the last names. */
function renumberNames(
  column: Uint32Array,
  lastNames: MergedDictionary,
  organizations: MergedDictionary,
): void {
  const countBefore = lastNames.fromBase.length - 1;
  const count = lastNames.offsets.length - 2;
  for (let doc = 0; doc < column.length; doc++) {
    const number = column[doc]!;
    column[doc] =
      number <= countBefore
        ? lastNames.fromBase[number]!
        : count + organizations.fromBase[number - countBefore]!;
  }
}
