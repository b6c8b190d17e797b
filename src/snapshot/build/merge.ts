import type { BaseSnapshot } from "../base-snapshot.ts";
import {
  emptyColumns,
  emptyNames,
  gatherColumns,
  numberColumns,
  type Columns,
} from "./columns.ts";
import { SECTIONS } from "../container/descriptors.ts";
import { countPiecesAside } from "../ngrams/count-in-background.ts";
import {
  countOf,
  dictionaryOf,
  draftDictionary,
  foldCityBytes,
} from "../dictionary/dictionary.ts";
import {
  refuseTaxonomies,
  writeDocuments,
  writeNpis,
  type BuildContext,
} from "./document-sections.ts";
import type { SnapshotDraft } from "./draft.ts";
import { firstSpellings, layOut } from "./layout.ts";
import { mergeDictionary } from "../dictionary/merged-dictionary.ts";
import { mergeLayouts } from "./merge-layout.ts";
import {
  mergedLists,
  mergeLists,
  nameNumbers,
  type MergedDictionaries,
} from "./merge-lists.ts";
import { mergeRecords } from "./write-records.ts";
import type { SnapshotMetadata } from "../metadata.ts";
import { writePlaces } from "../places/place-sections.ts";
import { groupItems } from "../postings/postings.ts";
import { release } from "../bytes/release.ts";
import { SectionWriter } from "../container/section-writer.ts";

/**
 * Writes the base with a draft's rows merged into it to a new file at `path` and returns the new snapshot's metadata. The
 * base's documents stay in their order, its numbers of names and words in theirs, so that they are copied along rather
 * than made anew. What no row uses any more stays in the dictionaries until the next full file. The base forgets what
 * it holds as soon as that is copied, because its memory is needed then; so does this what it made.
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
  const cities = mergeDictionary(
    base.cities,
    draftDictionary(draft.cities, foldCityBytes),
  );
  writer.writeGroup(SECTIONS.cities, cities);
  const first = firstSpellings(dictionaryOf(cities));
  const cityNumbers = { first, fromBase: cities.fromBase };
  const rows = layOut(draft, cities);
  const added = emptyColumns(rows.entries.length);
  gatherColumns(added, draft.rows, rows.entries, 0, rows.entries.length);
  numberColumns(added, dictionaries);
  const layout = mergeLayouts(base, rows, added.npi, cityNumbers);
  const { docOfRow, docsByNpi, loose, moved, places, sources } = layout;
  const where = { base, moved, docOfRow };
  const names = {
    ...mergeNames(base, added, sources, dictionaries),
    ...dictionaries,
  };
  await using counting = countPiecesAside(names);

  writePlaces(writer, places, loose, first.length - 1);
  mergeRecords(writer, base, draft, rows, sources, cityNumbers);
  const { kind, npi, taxonomy } = mergeColumns(
    base,
    added,
    sources,
    dictionaries,
  );
  writeNpis(writer, npi, docsByNpi);
  release(npi, docsByNpi, sources);
  const { taxonomies } = dictionaries;
  const metadata = await writeDocuments(
    writer,
    {
      kind,
      taxonomy,
      taxonomies,
      taxonomyDocs: () =>
        mergeLists(
          where,
          SECTIONS.taxonomyDocs,
          taxonomies.fromBase,
          groupItems(added.taxonomy, countOf(taxonomies)),
        ),
      names,
      counting,
      lists: (words) => mergedLists(where, added, words, dictionaries),
    },
    context,
  );
  writer.finish();
  release(kind, taxonomy, moved.docs);
  for (const { bytes, offsets } of Object.values(dictionaries))
    release(bytes, offsets);
  return metadata;
}

function mergeDictionaries(
  base: BaseSnapshot,
  draft: SnapshotDraft,
): MergedDictionaries {
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

/** The columns of names. */
function mergeNames(
  { sections }: BaseSnapshot,
  added: Columns,
  sources: Uint32Array,
  { firstNames, lastNames, organizations }: MergedDictionaries,
): Pick<Columns, "first" | "name"> {
  const columns = emptyNames(sources.length);
  const first = renumbered(sections.get(SECTIONS.first), firstNames.fromBase);
  merge(columns.first, sources, first, added.first);
  release(first);
  const numbers = nameNumbers(lastNames, organizations);
  const name = renumbered(sections.get(SECTIONS.name), numbers);
  merge(columns.name, sources, name, added.name);
  release(name);
  return columns;
}

/** All other columns. The base forgets its own. */
function mergeColumns(
  base: BaseSnapshot,
  added: Columns,
  sources: Uint32Array,
  { taxonomies }: MergedDictionaries,
): Pick<Columns, "kind" | "npi" | "taxonomy"> {
  const npi = new Uint32Array(sources.length);
  const kind = new Uint8Array(sources.length);
  merge(npi, sources, base.npi, added.npi);
  merge(kind, sources, base.kinds.column, added.kind);
  base.forget();
  const taxonomy = new Uint16Array(sources.length);
  const before = base.sections.get(SECTIONS.taxonomy);
  merge(
    taxonomy,
    sources,
    renumbered(before, taxonomies.fromBase),
    added.taxonomy,
  );
  release(before);
  return { npi, kind, taxonomy };
}

/** Takes each document's value from where it comes from: mostly runs of the base. */
function merge<T extends Uint8Array | Uint16Array | Uint32Array>(
  target: T,
  sources: Uint32Array,
  base: T,
  added: T,
): void {
  const count = base.length;
  for (let doc = 0; doc < sources.length;) {
    const source = sources[doc]!;
    if (source >= count) {
      target[doc++] = added[source - count]!;
      continue;
    }
    const most = Math.min(sources.length, doc + count - source);
    let end = doc + 1;
    while (end < most && sources[end] === source + end - doc) end++;
    target.set(base.subarray(source, source + end - doc), doc);
    doc = end;
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
