import {
  MAILING_ZIP,
  type ExportColumn,
  type RecordColumnName,
} from "../../contract/export-columns.ts";
import { STATE_CODES } from "../../contract/states.ts";
import { Entity } from "../../registry/rows/provider-row.ts";
import {
  entityOf,
  entityTypeOf,
  KIND_COUNT,
  statusOf,
} from "../../snapshot/postings/kinds.ts";
import { Has } from "../../snapshot/records/records.ts";
import { isoDate } from "../../text/dates.ts";
import { constant, type JsonText } from "./json-text.ts";
import type { Dictionary } from "../../snapshot/dictionary/dictionary.ts";
import type { SnapshotView } from "../../snapshot/snapshot.ts";
import type { Hit } from "../query.ts";
import { CELL_SEPARATOR, ROW_SEPARATOR } from "./plain-cells.ts";
import { detailMembers, type Details } from "./details-json.ts";
import type { Renderer } from "./renderer.ts";

/** By kind of document. */
const ENTITY_TYPES = Array.from({ length: KIND_COUNT }, (_, kind) =>
  constant(entityTypeOf(kind) ?? ""),
);
const STATUSES = Array.from({ length: KIND_COUNT }, (_, kind) =>
  constant(statusOf(kind)),
);
const STATES = STATE_CODES.map(constant);
const COMMA = 0x2c;
const ZIP_DIGITS = 5;
const PLUS_FOUR_DIGITS = 4;
const HYPHEN = 0x2d;
const ROW_END = constant("\r\n");
const PLAIN_ROW_END = constant(ROW_SEPARATOR);
const US = constant("US");
/** Cells that need no quotes: codes, dates, most phone numbers. */
const PLAIN = /^[A-Z0-9][A-Z0-9-]*$/;

/** Writes a cell of the opened record. */
type Cell = (doc: number, details: Details) => void;

/** The columns of a table, in their order, and a text before the first row. */
export interface Table {
  readonly columns: readonly ExportColumn[];
  readonly mark: string;
  /** True for plain cells (`plain-cells.ts`), without the mark. */
  readonly isPlain: boolean;
}

/** Writes documents as rows of CSV, or of plain cells, with columns of `contract/export-columns.ts`. */
export class CsvRenderer implements Renderer {
  readonly #snapshot: SnapshotView;
  readonly #out: JsonText;
  readonly #header: string;
  readonly #separator: number;
  readonly #rowEnd: Uint8Array;
  readonly #isPlain: boolean;
  readonly #cells: readonly Cell[];
  /** The place and the kind of entity of the opened record. */
  #place = -1;
  #entity = 0;
  /** Its distance, if it was found by distance. */
  #miles: number | undefined;

  constructor(
    snapshot: SnapshotView,
    out: JsonText,
    { columns, isPlain, mark }: Table,
  ) {
    this.#snapshot = snapshot;
    this.#out = out;
    const names = columns.map(({ name }) => name);
    this.#header = isPlain
      ? names.join(CELL_SEPARATOR) + ROW_SEPARATOR
      : `${mark}${names.join(",")}\r\n`;
    this.#separator = isPlain ? CELL_SEPARATOR.charCodeAt(0) : COMMA;
    this.#rowEnd = isPlain ? PLAIN_ROW_END : ROW_END;
    this.#isPlain = isPlain;
    const cells: Readonly<Record<string, Cell>> = this.#recordCells();
    this.#cells = columns.map((column) => {
      const text = detailReader(column);
      return (
        cells[column.name] ?? ((_doc, details) => this.#string(text(details)))
      );
    });
    out.begin();
  }

  begin(): void {
    this.#out.utf8(this.#header);
  }

  row({ doc, miles }: Hit, written?: Uint8Array): void {
    const out = this.#out;
    const cells = this.#cells;
    const separator = this.#separator;
    const { kinds, places, records } = this.#snapshot;
    records.open(doc);
    this.#place = places.placeOf(doc);
    this.#entity = entityOf(kinds.column[doc]!);
    this.#miles = miles;
    const details = written === undefined ? {} : detailMembers(written);
    for (let i = 0; i < cells.length; i++) {
      if (i > 0) out.byte(separator);
      cells[i]!(doc, details);
    }
    out.raw(this.#rowEnd);
  }

  end(): void {}

  /** Makes the cells of columns of the record, by name. */
  #recordCells(): Readonly<Record<RecordColumnName, Cell>> {
    const out = this.#out;
    const { cities, firstName, firstNames, kinds, lastNames, name } =
      this.#snapshot;
    const { npi, organizations, places, records, taxonomies, taxonomy } =
      this.#snapshot;
    const zipOf = (doc: number): number => places.zipOf(doc, this.#place) - 1;
    const postalCode =
      (hasHyphen: boolean): Cell =>
      (doc) => {
        const four = records.plusFour();
        if (four === null) return this.#text(Has.zip4);
        out.digits(zipOf(doc), ZIP_DIGITS);
        if (four < 0) return;
        if (hasHyphen) out.byte(HYPHEN);
        out.digits(four, PLUS_FOUR_DIGITS);
      };
    const descriptions = this.#snapshot.taxonomyNames.map((text, number) =>
      this.#copied(taxonomies.spelling(number) === null ? null : text),
    );
    const codes = descriptions.map((_, number) =>
      this.#copied(taxonomies.spelling(number)),
    );
    const isOf = (entity: number): boolean => this.#entity === entity;
    return {
      npi: (doc) => out.tenDigits(npi[doc]!),
      entity_type: (doc) => out.raw(ENTITY_TYPES[kinds.column[doc]!]!),
      status: (doc) => out.raw(STATUSES[kinds.column[doc]!]!),
      first_name: (doc) => {
        if (isOf(Entity.individual))
          this.#spelling(firstNames, firstName[doc]!);
      },
      middle_name: () => {
        if (isOf(Entity.individual)) this.#text(Has.middle);
      },
      last_name: (doc) => {
        if (isOf(Entity.individual)) this.#spelling(lastNames, name[doc]!);
      },
      credential: () => {
        if (isOf(Entity.individual)) this.#text(Has.credential);
      },
      organization_name: (doc) => {
        if (isOf(Entity.organization) && name[doc] !== 0)
          this.#spelling(organizations, name[doc]! - lastNames.count);
      },
      enumeration_date: () => this.#date(Has.enumerationDate),
      last_updated: () => this.#date(Has.lastUpdated),
      deactivation_date: () => this.#date(Has.deactivationDate),
      taxonomy_code: (doc) => out.raw(codes[taxonomy[doc]!]!),
      taxonomy_description: (doc) => out.raw(descriptions[taxonomy[doc]!]!),
      address_1: () => this.#text(Has.address1),
      address_2: () => this.#text(Has.address2),
      city: (doc) => {
        const spelling = records.number(Has.citySpelling);
        const city = places.cityOf(doc, this.#place, spelling);
        this.#spelling(cities, city);
      },
      state: () => {
        if (this.#place < 0) this.#text(Has.state);
        else out.raw(STATES[places.state[this.#place]! - 1]!);
      },
      postal_code: postalCode(false),
      country: () => {
        if (records.has(Has.country)) this.#text(Has.country);
        else if (!records.has(Has.noCountry)) out.raw(US);
      },
      zip5: (doc) => {
        const zip = zipOf(doc);
        if (zip >= 0) out.digits(zip, ZIP_DIGITS);
      },
      zip: postalCode(true),
      distance_miles: () => {
        if (this.#miles !== undefined)
          out.ascii(String(Math.round(this.#miles * 100) / 100));
      },
    };
  }

  /** Makes a cell that is written many times. */
  #copied(text: string | null): Uint8Array {
    this.#out.begin();
    this.#string(text);
    return this.#out.copy();
  }

  #date(field: number): void {
    const day = this.#snapshot.records.day(field);
    if (day !== 0) this.#out.ascii(isoDate(day) ?? "");
  }

  /** Writes the spelling of an entry; nothing for 0. */
  #spelling(dictionary: Dictionary, number: number): void {
    if (number !== 0)
      this.#cell(
        dictionary.bytes,
        dictionary.spellingStart(number),
        dictionary.offsets[number + 1]!,
      );
  }

  /** Writes a text of the opened record; nothing if it has none. */
  #text(field: number): void {
    const { records } = this.#snapshot;
    const length = records.gather(field);
    if (length > 0) this.#cell(records.gathered, 0, length);
  }

  #string(text: string | null): void {
    if (text === null) return;
    if (PLAIN.test(text)) return this.#out.ascii(text);
    const bytes = constant(text);
    this.#cell(bytes, 0, bytes.length);
  }

  #cell(source: Uint8Array, from: number, to: number): void {
    if (this.#isPlain) this.#out.plain(source, from, to);
    else this.#out.cell(source, from, to);
  }
}

/** Reads the text of a column from the details. Of taxonomies, that of the primary one, or all codes. */
function detailReader({ name, path }: ExportColumn) {
  const [part = "", member = ""] = path.split(".");
  return (details: Details): string => {
    const value = details[part];
    if (!Array.isArray(value)) {
      const text = textOf(value?.[member]);
      return name === MAILING_ZIP.name
        ? zipText(text, textOf(value?.["country"]))
        : text;
    }
    if (name === "taxonomy_codes")
      return value.map((slot) => textOf(slot[member])).join(" ");
    const primary = value.find((slot) => slot["primary"] === true);
    return textOf((primary ?? value[0])?.[member]);
  };
}

/** Returns a ZIP+4 of a U.S. address with its hyphen; any other code as it is. */
function zipText(code: string, country: string): string {
  return ["", "US"].includes(country)
    ? code.replace(/^([0-9]{5})([0-9]{4})$/, "$1-$2")
    : code;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
