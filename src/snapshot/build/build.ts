import type { Columns } from "./columns.ts";
import { SECTIONS } from "../container/descriptors.ts";
import { countPiecesAside } from "../ngrams/count-in-background.ts";
import {
  countOf,
  draftDictionary,
  foldCityBytes,
  type DictionaryDraft,
} from "../dictionary/dictionary.ts";
import {
  refuseTaxonomies,
  writeDocuments,
  writeNpis,
  type BuildContext,
} from "./document-sections.ts";
import type { SnapshotDraft } from "./draft.ts";
import { emptyColumns, gatherColumns, numberColumns } from "./columns.ts";
import { layOut } from "./layout.ts";
import type { SnapshotMetadata } from "../metadata.ts";
import { listNames } from "../names/name-index.ts";
import { writePlaces } from "../places/place-sections.ts";
import { groupItems } from "../postings/postings.ts";
import { writeRecords } from "./write-records.ts";
import { release } from "../bytes/release.ts";
import { SectionWriter } from "../container/section-writer.ts";

/**
 * Lays a draft out in the snapshot's order and writes it to a new file at `path`. Returns the snapshot's metadata. The
 * draft's rows are gone then: what takes much memory is given back before the next thing that does is made.
 */
export async function buildSnapshot(
  draft: SnapshotDraft,
  context: BuildContext,
  path: string,
): Promise<SnapshotMetadata> {
  refuseTaxonomies(draft.taxonomies.size - 1);
  draft.close();
  using writer = new SectionWriter(path);
  const cities = draftDictionary(draft.cities, foldCityBytes);
  writer.writeGroup(SECTIONS.cities, cities);
  const columns = writeRows(writer, draft, cities);
  const dictionaries = {
    taxonomies: draftDictionary(draft.taxonomies),
    lastNames: draftDictionary(draft.lastNames),
    firstNames: draftDictionary(draft.firstNames),
    organizations: draftDictionary(draft.organizations),
  };
  numberColumns(columns, dictionaries);
  const { first, kind, name, taxonomy } = columns;
  const { taxonomies, ...namesOf } = dictionaries;
  const names = { name, first, ...namesOf };
  await using counting = countPiecesAside(names);
  const metadata = await writeDocuments(
    writer,
    {
      kind,
      taxonomy,
      taxonomies,
      taxonomyDocs: () => groupItems(taxonomy, countOf(taxonomies)),
      names,
      counting,
      lists: (words) => listNames(names, words),
    },
    context,
  );
  writer.finish();
  return metadata;
}

/** Writes places, records and NPIs, all that needs the rows themselves; what else the rows say is returned, by document. */
function writeRows(
  writer: SectionWriter,
  draft: SnapshotDraft,
  cities: DictionaryDraft,
): Omit<Columns, "npi"> {
  const layout = layOut(draft, cities);
  writePlaces(writer, layout.places, layout.loose, cities.offsets.length - 2);
  const { npi, ...columns } = emptyColumns(layout.entries.length);
  const all = { npi, ...columns };
  writeRecords(writer, draft, layout, (from, to) =>
    gatherColumns(all, draft.rows, layout.entries, from, to),
  );
  draft.rows.clear();
  release(layout.entries);
  writeNpis(writer, npi, layout.docsByNpi);
  release(npi, layout.docsByNpi);
  return columns;
}
