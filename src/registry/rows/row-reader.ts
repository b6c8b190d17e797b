import { isUsAddress, stateOf, zipOf } from "./address.ts";
import { CsvScanner } from "../../csv/csv-scanner.ts";
import { dayOfBytes } from "../../text/dates.ts";
import { ALL_CELL_COUNT, DetailEncoder } from "../details/detail-encoder.ts";
import { CELL_COUNT, Cell, TAXONOMY_SLOTS } from "./header.ts";
import type { Header } from "./header.ts";
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
import { RowValues, VALUE_CLASSES, VALUES_ROOM } from "./values.ts";

const LETTER_Y = 0x59;
const DIGIT_1 = 0x31;
const DIGIT_2 = 0x32;

/**
 * The texts that rows of each entity type don't have: a person has no organization name, an organization no person's
 * name.
 */
const HIDDEN: ReadonlySet<number>[] = [];
HIDDEN[Entity.withheld] = new Set(Object.values(Text));
HIDDEN[Entity.individual] = new Set([Text.organization]);
HIDDEN[Entity.organization] = new Set([
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
  readonly #values: RowValues;
  readonly #row: ProviderRow;
  readonly #details: DetailEncoder | null;
  /** The cell of each text of a row, by entity type; 0 for texts that it doesn't have. */
  readonly #cells: readonly Uint16Array[];

  /**
   * `firstLine` is the physical line, from 1, after the header. If details are requested, the header must have
   * DETAIL_COLUMNS bound.
   */
  constructor(header: Header, firstLine: number, handlers: RowHandlers) {
    this.#handlers = handlers;
    const details = handlers.details ?? null;
    const scanner = new CsvScanner(
      {
        ...header,
        cellCount: details === null ? CELL_COUNT : ALL_CELL_COUNT,
        firstLine,
        classes: VALUE_CLASSES,
        room: VALUES_ROOM,
      },
      {
        row: () => this.#readRow(),
        fault: (fault) => this.#bad(fault, this.#npi()),
      },
    );
    const values = new RowValues(scanner);
    this.#scanner = scanner;
    this.#values = values;
    this.#row = new ProviderRow(
      values.ranges(TEXT_COUNT),
      values.ranges(TEXT_COUNT),
    );
    this.#row.bytes = scanner.bytes;
    // The texts before the taxonomy are in the order of the cells.
    this.#cells = HIDDEN.map((hidden) =>
      values.list(
        Object.values(Text).map((text) =>
          hidden.has(text) ? 0 : Cell.organization + text,
        ),
      ),
    );
    this.#details =
      details === null ? null : new DetailEncoder(details, scanner, values);
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
    if (!isAssignableNpi(npi)) return this.#bad("invalid_npi", npi);
    const values = this.#values;
    values.begin();
    row.npi = npi;
    const enumerationDate = this.#date(Cell.enumerationDate);
    const lastUpdated = this.#date(Cell.lastUpdated);
    const deactivationDate = this.#date(Cell.deactivationDate);
    const reactivationDate = this.#date(Cell.reactivationDate);
    row.deactivated =
      deactivationDate !== NO_DATE && reactivationDate < deactivationDate;
    row.deactivationDate = row.deactivated ? deactivationDate : NO_DATE;
    row.reactivationDate = reactivationDate;
    row.entityType = this.#entityType();
    const isWithheld = row.entityType === Entity.withheld;
    if (isWithheld && !row.deactivated)
      return this.#bad("unknown_entity_type", npi);
    row.enumerationDate = isWithheld ? NO_DATE : enumerationDate;
    row.lastUpdated = isWithheld ? NO_DATE : lastUpdated;
    const cells = this.#cells[row.entityType]!;
    if (!isWithheld) cells[Text.taxonomy] = this.#taxonomyCell();
    this.#readPlace(cells);
    const textsEnd = values.pack(cells, row.start, row.end);
    row.detailsStart = (textsEnd + 3) & -4;
    row.detailsEnd =
      this.#details?.encode(npi, isWithheld, row.detailsStart) ??
      row.detailsStart;
    this.rows++;
    this.#handlers.onRow(row);
  }

  #bad(reason: BadRowReason, npi: number): void {
    this.badRows.set(reason, (this.badRows.get(reason) ?? 0) + 1);
    const bad: BadRow = { line: this.#scanner.line, reason };
    if (npi !== NOT_AN_NPI) bad.npi = String(npi).padStart(10, "0");
    this.#handlers.onBadRow?.(bad);
  }

  /** Reads the row's NPI as a number, if the cell is ten digits. */
  #npi(): number {
    const { bytes, ends, starts } = this.#scanner;
    return npiOfBytes(bytes, starts[Cell.npi]!, ends[Cell.npi]!);
  }

  #entityType(): number {
    if (this.#is(Cell.entityType, DIGIT_1)) return Entity.individual;
    return this.#is(Cell.entityType, DIGIT_2)
      ? Entity.organization
      : Entity.withheld;
  }

  #date(cell: number): number {
    const { bytes, ends, starts } = this.#scanner;
    if (starts[cell] === ends[cell]) return NO_DATE;
    const day = dayOfBytes(bytes, starts[cell]!, ends[cell]!);
    if (day === NO_DATE)
      this.warnings.set(
        "invalid_date",
        (this.warnings.get("invalid_date") ?? 0) + 1,
      );
    return day;
  }

  /** Finds the slot whose switch is Y, if it isn't blank; else the first slot with a code; slot 1 if all are blank. */
  #taxonomyCell(): number {
    const { ends, starts } = this.#scanner;
    let first = 0;
    for (let slot = 0; slot < TAXONOMY_SLOTS; slot++) {
      const cell = Cell.taxonomyCode + slot;
      if (starts[cell] === ends[cell]) continue;
      if (this.#is(Cell.primarySwitch + slot, LETTER_Y)) return cell;
      if (first === 0) first = cell;
    }
    return first === 0 ? Cell.taxonomyCode : first;
  }

  /** True if a value is this character. */
  #is(cell: number, character: number): boolean {
    const { bytes, ends, starts } = this.#scanner;
    const start = starts[cell]!;
    return ends[cell]! - start === 1 && bytes[start] === character;
  }

  /** Reads state and ZIP. A known state becomes its two letters. */
  #readPlace(cells: Uint16Array): void {
    const row = this.#row;
    const { bytes, ends, starts } = this.#scanner;
    const stateCell = cells[Text.state]!;
    const countryCell = cells[Text.country]!;
    const postalCell = cells[Text.postalCode]!;
    const [from, to] = [starts[stateCell]!, ends[stateCell]!];
    const state = stateOf(bytes, from, to);
    row.isUsAddress = isUsAddress(
      bytes,
      starts[countryCell]!,
      ends[countryCell]!,
      state,
    );
    row.state = row.isUsAddress ? state : NO_STATE;
    row.zip = row.isUsAddress
      ? zipOf(bytes, starts[postalCell]!, ends[postalCell]!)
      : -1;
    if (row.state === NO_STATE) return;
    const code = STATE_CODES[row.state - 1]!;
    const isCode =
      to - from === 2 &&
      bytes[from] === code.charCodeAt(0) &&
      bytes[from + 1] === code.charCodeAt(1);
    if (!isCode) this.#values.write(stateCell, code);
  }
}
