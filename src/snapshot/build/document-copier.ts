import { NO_STATE } from "../../contract/states.ts";
import type { BaseSnapshot } from "../base-snapshot.ts";
import { SECTIONS } from "../container/descriptors.ts";
import { initialInRecord } from "../names/middle-initials.ts";
import { entityOf, kindOf } from "../postings/kinds.ts";
import { Recoder, type CarriedOver } from "../records/record-encoder.ts";
import { Has } from "../records/records.ts";
import type { SnapshotDraft } from "./draft.ts";

/** Copies documents that the registry now publishes only as deactivated from a snapshot into a draft. */
export class DocumentCopier {
  readonly #draft: SnapshotDraft;
  readonly #source: BaseSnapshot;
  readonly #recoder: Recoder;

  constructor(draft: SnapshotDraft, source: BaseSnapshot) {
    this.#draft = draft;
    this.#source = source;
    this.#recoder = new Recoder((word) => {
      const { bytes, offsets } = source.records.words;
      return draft.words.use(bytes, offsets[word]!, offsets[word + 1]!);
    });
  }

  /** Copies a document that the file with index `file` deactivates; its details are carried over. */
  copyDeactivated(doc: number, deactivation: CarriedOver, file: number): void {
    const { firstNames, lastNames, organizations, rows, taxonomies } =
      this.#draft;
    const source = this.#source;
    const { records, sections } = source;
    const name = sections.element(SECTIONS.name, doc);
    const lastCount = source.lastNames.count;
    records.open(doc);
    const place = this.#place(doc, records.number(Has.citySpelling));
    const initial = initialInRecord(records);
    const { bytes, length, start } = records;
    const copied = this.#recoder.recode(
      bytes,
      start,
      length,
      0,
      0,
      deactivation,
    );
    rows.add(
      source.npi[doc]!,
      kindOf(entityOf(source.kinds.column[doc]!), true),
      name <= lastCount
        ? source.lastNames.internInto(lastNames, name)
        : source.organizations.internInto(organizations, name - lastCount),
      source.firstNames.internInto(
        firstNames,
        sections.element(SECTIONS.first, doc),
      ),
      initial,
      source.taxonomies.internInto(
        taxonomies,
        sections.element(SECTIONS.taxonomy, doc),
      ),
      place,
      file,
      this.#recoder.bytes,
      copied,
    );
  }

  /** Returns the draft's number for a document's place. */
  #place(doc: number, spelling: number): number {
    const { cities, places: placed } = this.#draft;
    const { cities: baseCities, places } = this.#source;
    const place = places.placeOf(doc);
    const city = baseCities.internInto(
      cities,
      places.cityOf(doc, place, spelling),
    );
    const state = place < 0 ? NO_STATE : places.state[place]!;
    return placed.number(state, city, places.zipOf(doc, place));
  }
}
