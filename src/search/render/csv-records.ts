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
import type { RowRecords } from "./renderer.ts";

/** The text after the NPI, per kind of document. */
const KIND = Array.from({ length: KIND_COUNT }, (_, kind) =>
  constant(`,${entityTypeOf(kind) ?? ""},${statusOf(kind)},`),
);
const NEXT = constant(",");
const NO_NAME = constant(",,,,");
const NO_TAXONOMY = constant(",");
const ROW_END = constant("\r\n");
const US = constant("US");
/** Cells that need no quotes: dates, states, most postal codes. */
const PLAIN = /^[A-Z0-9][A-Z0-9-]*$/;

/** Renders documents as rows of CSV, with the columns of `contract/export-columns.ts`, in their order. */
export class CsvRecords implements RowRecords {
  readonly #snapshot: SnapshotView;
  readonly #out: JsonText;
  /** Code and description as cells, by taxonomy number. */
  readonly #taxonomies: readonly Uint8Array[];

  constructor(snapshot: SnapshotView, out: JsonText) {
    const { taxonomies, taxonomyNames } = snapshot;
    this.#snapshot = snapshot;
    this.#out = out;
    this.#taxonomies = taxonomyNames.map((description, number) => {
      const code = taxonomies.spelling(number);
      if (code === null) return NO_TAXONOMY;
      out.begin();
      this.#string(code);
      out.raw(NEXT);
      this.#string(description);
      return out.copy();
    });
    out.begin();
  }

  record(doc: number): void {
    const out = this.#out;
    const { cities, kinds, npi, places, records, taxonomy } = this.#snapshot;
    records.open(doc);
    const kind = kinds.column[doc]!;
    const place = places.placeOf(doc);
    const city = places.cityOf(doc, place, records.number(Has.citySpelling));
    const state =
      place < 0
        ? records.text(Has.state)
        : (STATE_CODES[places.state[place]! - 1] ?? null);
    out.tenDigits(npi[doc]!);
    out.raw(KIND[kind]!);
    this.#name(doc, entityOf(kind));
    out.raw(NEXT);
    this.#date(Has.enumerationDate);
    this.#date(Has.lastUpdated);
    this.#date(Has.deactivationDate);
    out.raw(this.#taxonomies[taxonomy[doc]!]!);
    out.raw(NEXT);
    const country = records.text(Has.country);
    const postalCode = records.postalCode(places.zipOf(doc, place) - 1);
    this.#text(Has.address1);
    out.raw(NEXT);
    this.#text(Has.address2);
    out.raw(NEXT);
    this.#spelling(cities, city);
    out.raw(NEXT);
    this.#string(state);
    out.raw(NEXT);
    this.#string(postalCode);
    out.raw(NEXT);
    if (country !== null) this.#string(country);
    else if (!records.has(Has.noCountry)) out.raw(US);
    out.raw(ROW_END);
  }

  /** First, middle and last name, credential, and organization name. */
  #name(doc: number, entity: number): void {
    const out = this.#out;
    const { firstName, firstNames, lastNames, name, organizations } =
      this.#snapshot;
    if (entity !== Entity.individual) {
      out.raw(NO_NAME);
      if (entity === Entity.organization && name[doc] !== 0)
        this.#spelling(organizations, name[doc]! - lastNames.count);
      return;
    }
    this.#spelling(firstNames, firstName[doc]!);
    out.raw(NEXT);
    this.#text(Has.middle);
    out.raw(NEXT);
    this.#spelling(lastNames, name[doc]!);
    out.raw(NEXT);
    this.#text(Has.credential);
    out.raw(NEXT);
  }

  #date(field: number): void {
    const day = this.#snapshot.records.day(field);
    if (day !== 0) this.#out.ascii(isoDate(day) ?? "");
    this.#out.raw(NEXT);
  }

  /** The spelling of an entry; nothing for 0. */
  #spelling(dictionary: Dictionary, number: number): void {
    if (number !== 0)
      this.#out.cell(
        dictionary.bytes,
        dictionary.spellingStart(number),
        dictionary.offsets[number + 1]!,
      );
  }

  /** A text of the opened record; nothing if it has none. */
  #text(field: number): void {
    const { records } = this.#snapshot;
    const length = records.gather(field);
    if (length > 0) this.#out.cell(records.gathered, 0, length);
  }

  #string(text: string | null): void {
    if (text === null) return;
    if (PLAIN.test(text)) return this.#out.ascii(text);
    const bytes = constant(text);
    this.#out.cell(bytes, 0, bytes.length);
  }
}
