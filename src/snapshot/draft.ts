import { foldCity } from "../text/city.ts";
import { Entity, Text, type ProviderRow } from "../registry/provider-row.ts";
import { NO_STATE } from "../registry/states.ts";
import { ByteInterner } from "./byte-interner.ts";
import { withRoom } from "./growable.ts";
import { kindOf } from "./kinds.ts";
import { RecordEncoder, recordRoom } from "./record-encoder.ts";
import { RowStore } from "./row-store.ts";
import type { FoldBytes } from "./dictionary.ts";

/** A place's key: the state's number in one byte, the compared city's in four, the ZIP plus one in four. */
export const PLACE_KEY_BYTES = 9;

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
  /** The spellings of cities, and what they are compared as. */
  readonly cities = new ByteInterner();
  readonly comparedCities = new ByteInterner();
  readonly places = new ByteInterner();
  /** The words of the records' texts. */
  readonly words = new ByteInterner();
  /** Per word how often the records use it. */
  wordCounts: Uint32Array = new Uint32Array(1);
  #comparedCityOf: Uint32Array = new Uint32Array(1);
  readonly #placeKey = new Uint8Array(PLACE_KEY_BYTES);
  readonly #placeView = new DataView(this.#placeKey.buffer);
  readonly #encoder = new RecordEncoder((bytes, start, end) =>
    this.useWord(bytes, start, end),
  );

  /** Adds a row that came from the file with index `file`; `carriedOver` says that an earlier import knew its details. */
  add(row: ProviderRow, file: number, carriedOver: boolean): void {
    const { rows } = this;
    const { chunk, at } = rows.reserve(recordRoom(row));
    const index = rows.count;
    const city = intern(this.cities, row, Text.city);
    const isPerson = row.entityType === Entity.individual;
    rows.npi[index] = row.npi;
    rows.kind[index] = kindOf(row.entityType, row.deactivated);
    rows.name[index] = isPerson
      ? intern(this.lastNames, row, Text.last)
      : intern(this.organizations, row, Text.organization);
    rows.first[index] = isPerson ? intern(this.firstNames, row, Text.first) : 0;
    rows.taxonomy[index] = intern(this.taxonomies, row, Text.taxonomy);
    rows.city[index] = city;
    rows.zip[index] = row.zip + 1;
    rows.place[index] = this.placeNumber(row.state, city, row.zip + 1);
    rows.file[index] = file;
    rows.commit(this.#encoder.encode(row, carriedOver, chunk, at));
  }

  /** The number of a place, given a state, the number of a city's spelling, and a ZIP plus one; 0 without a known state. */
  placeNumber(state: number, city: number, zip: number): number {
    if (state === NO_STATE) return 0;
    this.#placeView.setUint8(0, state);
    this.#placeView.setUint32(1, this.comparedCity(city), true);
    this.#placeView.setUint32(5, zip, true);
    return this.places.intern(this.#placeKey, 0, PLACE_KEY_BYTES);
  }

  /** The number of what a city's spelling is compared as. */
  comparedCity(city: number): number {
    this.#comparedCityOf = withRoom(this.#comparedCityOf, city + 1);
    const known = this.#comparedCityOf[city]!;
    if (known !== 0 || city === 0) return known;
    const { arena, offsets } = this.cities;
    const folded = new Uint8Array(
      (offsets[city + 1]! - offsets[city]!) * CITY_GROWTH,
    );
    const end = foldCityBytes(
      arena,
      offsets[city]!,
      offsets[city + 1]!,
      folded,
      0,
    );
    const number = this.comparedCities.intern(folded, 0, end);
    this.#comparedCityOf[city] = number;
    return number;
  }

  /** The number of a word that a record uses once more. */
  useWord(bytes: Uint8Array, start: number, end: number): number {
    const word = this.words.intern(bytes, start, end);
    this.countWord(word);
    return word;
  }

  countWord(word: number): void {
    this.wordCounts = withRoom(this.wordCounts, word + 1);
    this.wordCounts[word]!++;
  }
}

/** What folding adds at most (dictionary.ts) leaves room for MT as MOUNT. */
const CITY_GROWTH = 12;

/** A city's bytes as they are compared. */
export const foldCityBytes: FoldBytes = (source, start, end, target, at) => {
  const folded = foldCity(
    Buffer.from(
      source.buffer,
      source.byteOffset + start,
      end - start,
    ).toString(),
  );
  return at + new TextEncoder().encodeInto(folded, target.subarray(at)).written;
};

function intern(
  interner: ByteInterner,
  row: ProviderRow,
  text: number,
): number {
  return interner.intern(row.bytes, row.start[text]!, row.end[text]!);
}
