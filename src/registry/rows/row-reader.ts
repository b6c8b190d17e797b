import { isUsAddress, stateOf, zipOf } from "./address.ts";
import { CsvScanner } from "../../csv/csv-scanner.ts";
import type { RowFault } from "../../csv/csv-scanner.ts";
import { dayOfBytes } from "../../text/dates.ts";
import { ALL_CELL_COUNT, DetailEncoder } from "../details/detail-encoder.ts";
import { CELL_COUNT, Cell, TAXONOMY_SLOTS } from "./header.ts";
import type { Header } from "./header.ts";
import { PLAIN_VALUES_ROOM, PlainValues } from "./plain-values.ts";
import { isAssignableNpi, NOT_AN_NPI, npiOfBytes } from "../npi.ts";
import {
  Entity,
  NO_DATE,
  ProviderRow,
  TEXT_COUNT,
  Text,
  type BadRow,
  type BadRowReason,
  type RowHandlers,
  type RowWarning,
} from "./provider-row.ts";
import { NO_STATE, STATE_CODES } from "../../contract/states.ts";
import {
  isNull,
  textOfCell,
  trimmedEnd,
  trimmedStart,
  VALUE_CLASSES,
} from "./values.ts";

const LETTER_Y = 0x59;
const DIGIT_1 = 0x31;
const DIGIT_2 = 0x32;
/** Maximum UTF-8 bytes per Latin-1 byte. */
const GROWTH = 3;

const encoder = new TextEncoder();

/**
 * The texts that rows of each entity type have: a person has no organization name, an organization no person's name.
 */
const SHOWN: Uint8Array[] = [];
SHOWN[Entity.withheld] = new Uint8Array(TEXT_COUNT);
SHOWN[Entity.individual] = textsWithout([Text.organization]);
SHOWN[Entity.organization] = textsWithout([
  Text.last,
  Text.first,
  Text.middle,
  Text.credential,
]);

/** Reads the rows after a file's header: `push` the bytes in chunks of any size, then `end`. */
export class RowReader {
  /** Usable rows so far. */
  rows = 0;
  readonly badRows = new Map<BadRowReason, number>();
  readonly warnings = new Map<RowWarning, number>();

  readonly #scanner: CsvScanner;
  readonly #handlers: RowHandlers;
  readonly #plain: PlainValues;
  readonly #row: ProviderRow;
  readonly #details: DetailEncoder | null;
  /** The cell of each text of the row. The texts before the taxonomy are in the order of the cells. */
  readonly #cells = Uint8Array.from(
    { length: TEXT_COUNT },
    (_, text) => Cell.organization + text,
  );
  /** The same for plain rows of each entity type, without the texts that they don't have. */
  readonly #shownCells: readonly Uint16Array[];
  /** Texts of a row that differ from its bytes: quotes, Latin-1, states in other spellings. */
  #scratch = new Uint8Array(1 << 12);
  #scratchEnd = 0;

  /**
   * `firstLine` is the physical line, from 1, after the header. If details are requested, the header must have
   * DETAIL_COLUMNS bound.
   */
  constructor(header: Header, firstLine: number, handlers: RowHandlers) {
    this.#handlers = handlers;
    const details = handlers.details ?? null;
    const cellCount = details === null ? CELL_COUNT : ALL_CELL_COUNT;
    this.#scanner = new CsvScanner(
      {
        ...header,
        cellCount,
        firstLine,
        classes: VALUE_CLASSES,
        room: PLAIN_VALUES_ROOM,
      },
      { row: () => this.#readRow(), fault: (fault) => this.#readFault(fault) },
    );
    const plain = new PlainValues(this.#scanner);
    this.#plain = plain;
    this.#row = new ProviderRow(
      plain.ranges(TEXT_COUNT),
      plain.ranges(TEXT_COUNT),
    );
    this.#shownCells = SHOWN.map((shown) =>
      plain.list(this.#cells.map((cell, text) => cell * shown[text]!)),
    );
    this.#details = details === null ? null : new DetailEncoder(details, plain);
  }

  push(chunk: Uint8Array): void {
    this.#scanner.push(chunk);
  }

  end(): void {
    this.#scanner.end();
  }

  #readRow(): void {
    const row = this.#row;
    const npi = this.#npi();
    if (npi === NOT_AN_NPI || !isAssignableNpi(npi))
      return this.#bad("invalid_npi", npi);
    row.npi = npi;
    const enumerationDate = this.#date(Cell.enumerationDate);
    const lastUpdated = this.#date(Cell.lastUpdated);
    const deactivationDate = this.#date(Cell.deactivationDate);
    const reactivationDate = this.#date(Cell.reactivationDate);
    row.deactivated =
      deactivationDate !== NO_DATE && reactivationDate < deactivationDate;
    row.deactivationDate = row.deactivated ? deactivationDate : NO_DATE;
    row.reactivationDate = reactivationDate;
    const entityType = this.#entityType();
    if (entityType === Entity.withheld && !row.deactivated)
      return this.#bad("unknown_entity_type", npi);
    row.entityType = entityType;
    row.enumerationDate =
      entityType === Entity.withheld ? NO_DATE : enumerationDate;
    row.lastUpdated = entityType === Entity.withheld ? NO_DATE : lastUpdated;
    if (this.#scanner.isPlain) this.#readPlain(this.#shownCells[entityType]!);
    else this.#readTexts(SHOWN[entityType]!);
    if (this.#details !== null && !row.isPacked)
      this.#readDetails(this.#details);
    this.#readPlace();
    this.rows++;
    this.#handlers.onRow(row);
  }

  #readDetails(details: DetailEncoder): void {
    const row = this.#row;
    const isWithheld = row.entityType === Entity.withheld;
    row.detailsStart = 0;
    row.detailsEnd = details.encode(this.#scanner, isWithheld);
    row.details = details.bytes;
  }

  #readFault(fault: RowFault): void {
    this.#bad(fault, this.#npi());
  }

  #bad(reason: BadRowReason, npi: number): void {
    this.badRows.set(reason, (this.badRows.get(reason) ?? 0) + 1);
    const bad: BadRow = { line: this.#scanner.line, reason };
    if (npi !== NOT_AN_NPI) bad.npi = String(npi).padStart(10, "0");
    this.#handlers.onBadRow?.(bad);
  }

  /** The row's NPI as a number, if the cell is ten digits. */
  #npi(): number {
    const { bytes, ends, starts } = this.#scanner;
    return npiOfBytes(bytes, starts[Cell.npi]!, ends[Cell.npi]!);
  }

  #entityType(): number {
    const { bytes, ends, starts } = this.#scanner;
    const cellEnd = ends[Cell.entityType]!;
    const start = trimmedStart(bytes, starts[Cell.entityType]!, cellEnd);
    if (trimmedEnd(bytes, start, cellEnd) - start !== 1) return Entity.withheld;
    const code = bytes[start];
    if (code === DIGIT_1) return Entity.individual;
    return code === DIGIT_2 ? Entity.organization : Entity.withheld;
  }

  #date(cell: number): number {
    const { bytes, ends, starts } = this.#scanner;
    const cellEnd = ends[cell]!;
    if (starts[cell] === cellEnd) return NO_DATE;
    const start = trimmedStart(bytes, starts[cell]!, cellEnd);
    const end = trimmedEnd(bytes, start, cellEnd);
    const day = dayOfBytes(bytes, start, end);
    if (day === NO_DATE && !isNull(bytes, start, end)) {
      this.warnings.set(
        "invalid_date",
        (this.warnings.get("invalid_date") ?? 0) + 1,
      );
    }
    return day;
  }

  /** Reads the texts, and the details if they need nothing else. */
  #readPlain(cells: Uint16Array): void {
    const row = this.#row;
    const isWithheld = row.entityType === Entity.withheld;
    if (!isWithheld) cells[Text.taxonomy] = this.#taxonomyCell();
    row.bytes = this.#scanner.bytes;
    const textsEnd = this.#plain.pack(cells, row.start, row.end);
    row.detailsStart = (textsEnd + 3) & -4;
    row.detailsEnd = row.detailsStart;
    row.isPacked = true;
    if (this.#details === null) return;
    const end = isWithheld
      ? null
      : this.#details.encodePlain(this.#scanner, row.detailsStart);
    if (end === null) row.isPacked = false;
    else {
      row.details = row.bytes;
      row.detailsEnd = end;
    }
  }

  #readTexts(shown: Uint8Array): void {
    const row = this.#row;
    const { bytes, ends, starts } = this.#scanner;
    const cells = this.#cells;
    const textStart = row.start;
    const textEnd = row.end;
    row.bytes = bytes;
    row.isPacked = false;
    cells[Text.taxonomy] = this.#taxonomyCell();
    let highBits = 0;
    for (let text = 0; text < TEXT_COUNT; text++) {
      const cell = cells[text]!;
      let start = starts[cell]!;
      let end = shown[text] === 0 ? start : ends[cell]!;
      if (start < end) {
        start = trimmedStart(bytes, start, end);
        end = trimmedEnd(bytes, start, end);
        if (isNull(bytes, start, end)) end = start;
        for (let at = start; at < end; at++) highBits |= bytes[at]!;
      }
      textStart[text] = start;
      textEnd[text] = end;
    }
    if (highBits >= 0x80 || this.#scanner.hasInnerQuotes) this.#decodeTexts();
  }

  /**
   * The slot whose switch is Y. If there is none, or it is blank, the first slot with a code; slot 1 if all are blank.
   */
  #taxonomyCell(): number {
    const { bytes, ends, starts } = this.#scanner;
    let first = 0;
    for (let slot = 0; slot < TAXONOMY_SLOTS; slot++) {
      const cell = Cell.taxonomyCode + slot;
      const cellEnd = ends[cell]!;
      if (starts[cell] === cellEnd) continue;
      const start = trimmedStart(bytes, starts[cell]!, cellEnd);
      if (isNull(bytes, start, trimmedEnd(bytes, start, cellEnd))) continue;
      if (this.#isYes(Cell.primarySwitch + slot)) return cell;
      if (first === 0) first = cell;
    }
    return first === 0 ? Cell.taxonomyCode : first;
  }

  #isYes(cell: number): boolean {
    const { bytes, ends, starts } = this.#scanner;
    const cellEnd = ends[cell]!;
    const start = trimmedStart(bytes, starts[cell]!, cellEnd);
    return (
      bytes[start] === LETTER_Y &&
      trimmedEnd(bytes, start, cellEnd) - start === 1
    );
  }

  #readPlace(): void {
    const row = this.#row;
    const bytes = row.bytes;
    const stateStart = row.start[Text.state]!;
    const stateEnd = row.end[Text.state]!;
    const state = stateOf(bytes, stateStart, stateEnd);
    row.isUsAddress = isUsAddress(
      bytes,
      row.start[Text.country]!,
      row.end[Text.country]!,
      state,
    );
    row.state = row.isUsAddress ? state : NO_STATE;
    row.zip = row.isUsAddress
      ? zipOf(bytes, row.start[Text.postalCode]!, row.end[Text.postalCode]!)
      : -1;
    if (row.state === NO_STATE) return;
    const code = STATE_CODES[row.state - 1]!;
    const isCode =
      stateEnd - stateStart === 2 &&
      bytes[stateStart] === code.charCodeAt(0) &&
      bytes[stateStart + 1] === code.charCodeAt(1);
    if (!isCode) this.#writeState(code);
  }

  #writeState(code: string): void {
    if (this.#row.bytes !== this.#scratch) this.#copyTexts();
    this.#writeText(Text.state, code);
  }

  /** Decodes the texts of cells with quotes or bytes beyond ASCII. */
  #decodeTexts(): void {
    const row = this.#row;
    this.#beginScratch();
    for (let text = 0; text < TEXT_COUNT; text++) {
      const cell = this.#cells[text]!;
      const [start, end] = [row.start[text]!, row.end[text]!];
      this.#writeText(text, textOfCell(this.#scanner, cell, start, end));
    }
    row.bytes = this.#scratch;
  }

  #copyTexts(): void {
    const row = this.#row;
    const bytes = row.bytes;
    this.#beginScratch();
    for (let text = 0; text < TEXT_COUNT; text++) {
      const value = bytes.subarray(row.start[text], row.end[text]);
      this.#scratch.set(value, this.#scratchEnd);
      row.start[text] = this.#scratchEnd;
      row.end[text] = this.#scratchEnd += value.length;
    }
    row.bytes = this.#scratch;
  }

  #writeText(text: number, value: string): void {
    const written = encoder.encodeInto(
      value,
      this.#scratch.subarray(this.#scratchEnd),
    ).written;
    this.#row.start[text] = this.#scratchEnd;
    this.#row.end[text] = this.#scratchEnd += written;
  }

  /** Empties the scratch memory and ensures room for the row's texts, expanded, and a state. */
  #beginScratch(): void {
    this.#row.isPacked = false;
    let needed = 2;
    for (let text = 0; text < TEXT_COUNT; text++)
      needed += (this.#row.end[text]! - this.#row.start[text]!) * GROWTH;
    if (needed > this.#scratch.length)
      this.#scratch = new Uint8Array(needed * 2);
    this.#scratchEnd = 0;
  }
}

function textsWithout(hidden: readonly number[]): Uint8Array {
  const shown = new Uint8Array(TEXT_COUNT).fill(1);
  for (const text of hidden) shown[text] = 0;
  return shown;
}
