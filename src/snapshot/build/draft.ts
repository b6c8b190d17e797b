import {
  Entity,
  Text,
  type ProviderRow,
} from "../../registry/rows/provider-row.ts";
import { ByteInterner } from "../bytes/byte-interner.ts";
import { kindOf } from "../postings/kinds.ts";
import { RecordEncoder, recordRoom } from "../records/record-encoder.ts";
import { RecordWords } from "../records/record-words.ts";
import { RowStore } from "./row-store.ts";
import { SpelledPlaces } from "../places/spelled-places.ts";

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
    const { rows } = this;
    rows.reserve(recordRoom(row));
    const isPerson = row.entityType === Entity.individual;
    const name = isPerson
      ? intern(this.lastNames, row, Text.last)
      : intern(this.organizations, row, Text.organization);
    const first = isPerson ? intern(this.firstNames, row, Text.first) : 0;
    const taxonomy = intern(this.taxonomies, row, Text.taxonomy);
    const city = intern(this.cities, row, Text.city);
    const place = this.places.number(row.state, city, row.zip + 1);
    rows.add(
      row.npi,
      kindOf(row.entityType, row.deactivated),
      name,
      first,
      taxonomy,
      place,
      file,
      this.#encoder.encode(row, rows.record, rows.recordAt, isCarriedOver),
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
