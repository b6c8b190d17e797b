import { release } from "../bytes/once.ts";
import { SECTIONS } from "../container/descriptors.ts";
import type { SectionWriter } from "../container/section-writer.ts";
import {
  countOf,
  Dictionary,
  type DictionaryEntries,
} from "../dictionary/dictionary.ts";
import { releaseAll, writeNameIndex, type Names } from "../names/name-index.ts";
import { orderByName } from "../names/name-order.ts";
import { organizationWords } from "../names/organization-words.ts";
import { countFrequentNgrams } from "../ngrams/count-frequent-ngrams.ts";
import { writeFrequentNgrams } from "../ngrams/frequent-ngrams.ts";
import {
  writePlaces,
  type PlaceColumns,
  type UnplacedColumns,
} from "../places/place-sections.ts";
import { writeKinds } from "../postings/kinds.ts";
import { writeNpis } from "../postings/npi-index.ts";
import { groupItems } from "../postings/postings.ts";
import { countPrimaryTaxonomies } from "../postings/taxonomy-counts.ts";
import { firstSpellings } from "./layout.ts";

/** The primary data that other sections are derived from (FORMAT.md, "Primary and derived sections"). */
export interface PrimaryData extends Names {
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
