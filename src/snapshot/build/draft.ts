import {
  Entity,
  Text,
  type ProviderRow,
} from "../../registry/rows/provider-row.ts";
import { ByteInterner } from "../bytes/byte-interner.ts";
import { SECTIONS } from "../container/descriptors.ts";
import { entityOf, kindOf } from "../postings/kinds.ts";
import { Recoder, RecordEncoder } from "../records/record-encoder.ts";
import { RecordWords } from "../records/record-words.ts";
import { RowStore } from "./row-store.ts";
import { Has } from "../records/records.ts";
import { NO_STATE } from "../../contract/states.ts";
import type { BaseSnapshot } from "../base-snapshot.ts";

/** The city's number in four bytes, and in four the ZIP plus one and above it the state's number. */
const KEY_BYTES = 8;
const ZIP_BITS = 17;
const ZIP_MASK = (1 << ZIP_BITS) - 1;

/**
 * A snapshot in the making: rows as numbers, and every distinct text once. Rows come in any order; of several rows of
 * one NPI the last one added counts.
 */
export class SnapshotDraft {
  readonly rows = new RowStore();
  readonly lastNames = new ByteInterner();
  readonly organizations = new ByteInterner();
  readonly firstNames = new ByteInterner();
  readonly taxonomies = new ByteInterner();
  /** The spellings of cities. */
  readonly cities = new ByteInterner();
  readonly places = new SpelledPlaces();
  readonly words = new RecordWords();
  readonly #encoder = new RecordEncoder(this.words);

  /**
   * Adds a row that came from the file with index `file`; `isCarriedOver` says that the registry withholds the details now,
   * and that the file is the one that tells the deactivation.
   */
  add(row: ProviderRow, file: number, isCarriedOver = false): void {
    const isPerson = row.entityType === Entity.individual;
    const name = isPerson
      ? intern(this.lastNames, row, Text.last)
      : intern(this.organizations, row, Text.organization);
    const first = isPerson ? intern(this.firstNames, row, Text.first) : 0;
    const taxonomy = intern(this.taxonomies, row, Text.taxonomy);
    const city = intern(this.cities, row, Text.city);
    const place = this.places.number(row.state, city, row.zip + 1);
    const length = this.#encoder.encode(row, isCarriedOver);
    this.rows.add(
      row.npi,
      kindOf(row.entityType, row.deactivated),
      name,
      first,
      taxonomy,
      place,
      file,
      this.#encoder.bytes,
      length,
    );
  }

  /** Says that no row follows: the memory that only adding needs is given back. */
  close(): void {
    const { cities, firstNames, lastNames, organizations, taxonomies } = this;
    for (const texts of [
      cities,
      firstNames,
      lastNames,
      organizations,
      taxonomies,
    ])
      texts.close();
    this.places.close();
    this.words.close();
  }
}

function intern(
  interner: ByteInterner,
  row: ProviderRow,
  text: number,
): number {
  return interner.intern(row.bytes, row.start[text]!, row.end[text]!);
}

/** Copies documents of a snapshot of which the registry shows no more than a deactivation into a draft. */
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

  /** Copies a document whose deactivation, on the given day, the file with index `file` tells: its details are carried over. */
  copyDeactivated(doc: number, day: number, file: number): void {
    const { firstNames, lastNames, organizations, rows, taxonomies } =
      this.#draft;
    const source = this.#source;
    const { records, sections } = source;
    const name = sections.element(SECTIONS.name, doc);
    const lastCount = source.lastNames.count;
    records.open(doc);
    const place = this.#place(doc, records.number(Has.citySpelling));
    const { bytes, length, start } = records;
    const copied = this.#recoder.recode(bytes, start, length, 0, 0, day);
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

  /** The draft's number of a document's place. */
  #place(doc: number, spelling: number): number {
    const { cities, places: placed } = this.#draft;
    const { cities: held, places } = this.#source;
    const place = places.placeOf(doc);
    const city = held.internInto(cities, places.cityOf(doc, place, spelling));
    const state = place < 0 ? NO_STATE : places.state[place]!;
    return placed.number(state, city, places.zipOf(doc, place));
  }
}

/**
 * Numbers, from 1, the distinct (state, spelling of a city, ZIP) of rows: all that a row says of its place is one number.
 * Several of them may be one place of the snapshot, where cities are told apart by what their spellings are compared as.
 */
class SpelledPlaces {
  readonly #interner = new ByteInterner();
  readonly #key = new Uint8Array(KEY_BYTES);
  readonly #keyView = new DataView(this.#key.buffer);

  /** How many numbers are given, including 0 for nothing at all. */
  get size(): number {
    return this.#interner.size;
  }

  /** The number of a state's number, a city's spelling by its number, and a ZIP plus one; each is 0 for none. */
  number(state: number, city: number, zip: number): number {
    if (state === 0 && city === 0 && zip === 0) return 0;
    this.#keyView.setUint32(0, city, true);
    this.#keyView.setUint32(4, (state << ZIP_BITS) | zip, true);
    return this.#interner.intern(this.#key, 0, KEY_BYTES);
  }

  /** Per number the state, the city and the ZIP. */
  columns(): { state: Uint8Array; city: Uint32Array; zip: Uint32Array } {
    const { arena, size } = this.#interner;
    const view = new DataView(arena.buffer, arena.byteOffset);
    const state = new Uint8Array(size);
    const city = new Uint32Array(size);
    const zip = new Uint32Array(size);
    for (let place = 1; place < size; place++) {
      const at = (place - 1) * KEY_BYTES;
      const stateAndZip = view.getUint32(at + 4, true);
      city[place] = view.getUint32(at, true);
      state[place] = stateAndZip >>> ZIP_BITS;
      zip[place] = stateAndZip & ZIP_MASK;
    }
    return { state, city, zip };
  }

  /** Gives back the memory that only `number` needs, which must not be called any more. */
  close(): void {
    this.#interner.close();
  }
}
