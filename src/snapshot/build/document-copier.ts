import { NO_STATE } from "../../contract/states.ts";
import type { BaseSnapshot } from "../base-snapshot.ts";
import type { ByteInterner } from "../bytes/byte-interner.ts";
import type { SnapshotDraft } from "./draft.ts";
import { entityOf, kindOf } from "../postings/kinds.ts";
import { Has, Recoder } from "../records/records.ts";

/** Renumbering may lengthen a word's code from one byte to five; besides, a date may be added. */
const GROWTH = 5;
const ADDED_BYTES = 14;

/** Copies documents of a snapshot of which the registry shows no more than a deactivation into a draft. */
export class DocumentCopier {
  readonly #draft: SnapshotDraft;
  readonly #source: BaseSnapshot;
  readonly #recoder: Recoder;

  constructor(draft: SnapshotDraft, source: BaseSnapshot) {
    this.#draft = draft;
    this.#source = source;
    this.#recoder = new Recoder((word) => {
      const { bytes, offsets } = source.words;
      return draft.words.use(bytes, offsets[word]!, offsets[word + 1]!);
    });
  }

  /** Copies a document whose deactivation, on the given day, the file with index `file` tells: its details are carried over. */
  copyDeactivated(doc: number, day: number, file: number): void {
    const { cities, firstNames, lastNames, organizations, rows, taxonomies } =
      this.#draft;
    const source = this.#source;
    const { bytes, length, start } = source.record(doc);
    rows.reserve(length * GROWTH + ADDED_BYTES);
    const name = source.name(doc);
    const lastCount = source.lastNames.count;
    rows.add(
      source.npi[doc]!,
      kindOf(entityOf(source.kind[doc]!), true),
      name <= lastCount
        ? source.lastNames.internInto(lastNames, name)
        : source.organizations.internInto(organizations, name - lastCount),
      source.firstNames.internInto(firstNames, source.firstName(doc)),
      source.taxonomies.internInto(taxonomies, source.taxonomy(doc)),
      this.#place(doc, cities),
      file,
      this.#recoder.recode(bytes, start, rows.record, rows.recordAt, 0, 0, day),
    );
  }

  #place(doc: number, cities: ByteInterner): number {
    const source = this.#source;
    const { places } = source;
    if (doc >= places.placedDocs) {
      const loose = doc - places.placedDocs;
      const city = source.cities.internInto(cities, places.looseCity[loose]!);
      return this.#draft.places.number(NO_STATE, city, places.looseZip[loose]!);
    }
    const place = places.placeOf(doc);
    const spelling = source.record(doc).number(Has.citySpelling);
    const city = source.cities.internInto(
      cities,
      places.city[place]! + spelling,
    );
    return this.#draft.places.number(
      places.state[place]!,
      city,
      places.zip[place]!,
    );
  }
}
