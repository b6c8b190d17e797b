import {
  BlobSection,
  IDENTIFIER_TEXTS,
  IDENTITY_TEXTS,
  IdentityText,
  MAILING_TEXTS,
  MAIN_ROW_NAME_TEXTS,
  TAXONOMY_TEXTS,
} from "./detail-blob.ts";
import { DetailCell } from "./detail-cells.ts";
import type { DetailPart } from "../../contract/detail-parts.ts";
import { dayOfBytes } from "../../text/dates.ts";
import { npiOfBytes } from "../npi.ts";
import { Cell, IDENTIFIER_COLUMNS, TAXONOMY_SLOTS } from "../rows/header.ts";
import type { PlainValues } from "../rows/plain-values.ts";
import type { ScannedRow } from "../rows/values.ts";
import { TextWriter } from "./text-writer.ts";

const CERTIFIED = DetailCell.identity + IdentityText.certified;
const TAXONOMY_CELLS = Array.from({ length: TAXONOMY_SLOTS }, (_, slot) => [
  Cell.taxonomyCode + slot,
  DetailCell.license + slot,
  DetailCell.licenseState + slot,
  Cell.primarySwitch + slot,
  DetailCell.group + slot,
]).flat();
const IDENTIFIER_CELLS = Array.from(
  IDENTIFIER_COLUMNS,
  (_, index) => DetailCell.identifiers + index,
);

/** Writes the details in a provider's own row as the start of a blob. */
export class DetailEncoder {
  readonly #out = new TextWriter();
  readonly #plain: PlainValues;
  readonly #taxonomyCells: Uint16Array;
  readonly #identifierCells: Uint16Array;
  readonly #hasIdentity: boolean;
  readonly #hasTaxonomies: boolean;
  readonly #hasOtherNames: boolean;
  readonly #hasMailingAddress: boolean;
  readonly #hasIdentifiers: boolean;

  constructor(parts: ReadonlySet<DetailPart>, plain: PlainValues) {
    this.#plain = plain;
    this.#taxonomyCells = plain.list(TAXONOMY_CELLS);
    this.#identifierCells = plain.list(IDENTIFIER_CELLS);
    this.#hasIdentity = parts.has("identity");
    this.#hasTaxonomies = parts.has("taxonomies");
    this.#hasOtherNames = parts.has("other_names");
    this.#hasMailingAddress = parts.has("mailing_address");
    this.#hasIdentifiers = parts.has("identifiers");
  }

  /** What `encode` wrote, up to its result. */
  get bytes(): Uint8Array {
    return this.#out.bytes;
  }

  /** Writes a row's details in the scanner's memory at `to`, and returns their end; null if only `encode` can. */
  encodePlain(row: ScannedRow, to: number): number | null {
    if (!row.isPlain || (this.#hasIdentity && hasStatus(row))) return null;
    const plain = this.#plain;
    let at = to;
    if (this.#hasIdentity)
      at = plain.record(
        BlobSection.identity,
        DetailCell.identity,
        IDENTITY_TEXTS,
        at,
        CERTIFIED,
        dayOfBytes(row.bytes, row.starts[CERTIFIED]!, row.ends[CERTIFIED]!),
      );
    if (this.#hasTaxonomies)
      at = plain.records(
        BlobSection.taxonomies,
        this.#taxonomyCells,
        TAXONOMY_TEXTS,
        true,
        at,
      );
    if (this.#hasOtherNames)
      at = plain.record(
        BlobSection.mainRowName,
        DetailCell.mainRowName,
        MAIN_ROW_NAME_TEXTS,
        at,
      );
    if (this.#hasMailingAddress)
      at = plain.record(
        BlobSection.mailingAddress,
        DetailCell.mailingAddress,
        MAILING_TEXTS,
        at,
      );
    if (this.#hasIdentifiers && row.lastCell >= DetailCell.identifiers)
      at = plain.records(
        BlobSection.identifiers,
        this.#identifierCells,
        IDENTIFIER_TEXTS,
        false,
        at,
      );
    return at;
  }

  /** Writes a row's details, and returns their end. A withheld row has only the status. */
  encode(row: ScannedRow, isWithheld: boolean): number {
    this.#encode(row, isWithheld);
    return this.#out.at;
  }

  #encode(row: ScannedRow, isWithheld: boolean): void {
    this.#out.at = 0;
    if (this.#hasIdentity) this.#status(row);
    if (isWithheld) return;
    if (this.#hasIdentity) this.#identity(row);
    if (this.#hasTaxonomies) this.#taxonomies(row);
    if (this.#hasOtherNames)
      this.#onlyRecord(
        row,
        BlobSection.mainRowName,
        DetailCell.mainRowName,
        MAIN_ROW_NAME_TEXTS,
      );
    if (this.#hasMailingAddress)
      this.#onlyRecord(
        row,
        BlobSection.mailingAddress,
        DetailCell.mailingAddress,
        MAILING_TEXTS,
      );
    if (this.#hasIdentifiers) this.#identifiers(row);
  }

  #status(row: ScannedRow): void {
    if (!hasStatus(row)) return;
    const out = this.#out;
    const start = out.begin();
    out.cell(row, DetailCell.reason);
    out.date(row, Cell.deactivationDate);
    out.date(row, Cell.reactivationDate);
    // The registry names some providers as their own replacement.
    if (npiOfCell(row, DetailCell.replacementNpi) !== npiOfCell(row, Cell.npi))
      out.cell(row, DetailCell.replacementNpi);
    this.#endOnly(BlobSection.status, start);
  }

  #identity(row: ScannedRow): void {
    const out = this.#out;
    const start = out.begin();
    const texts = filled(row, DetailCell.identity, IDENTITY_TEXTS);
    for (let text = 0; text < texts; text++) {
      const cell = DetailCell.identity + text;
      if (text === IdentityText.certified) out.date(row, cell);
      else out.cell(row, cell);
    }
    this.#endOnly(BlobSection.identity, start);
  }

  #taxonomies(row: ScannedRow): void {
    const out = this.#out;
    const start = out.begin();
    for (let slot = 0; slot < TAXONOMY_SLOTS; slot++) {
      const code = Cell.taxonomyCode + slot;
      if (row.starts[code] === row.ends[code]) continue;
      const slotStart = out.at;
      out.cell(row, code);
      if (out.at === slotStart + 1) {
        out.at = slotStart;
        continue;
      }
      out.cell(row, DetailCell.license + slot);
      out.cell(row, DetailCell.licenseState + slot);
      out.cell(row, Cell.primarySwitch + slot);
      out.cell(row, DetailCell.group + slot);
    }
    out.section(BlobSection.taxonomies, start);
  }

  /** A slot counts if any of its cells has a value. */
  #identifiers(row: ScannedRow): void {
    const { lastCell } = row;
    if (lastCell < DetailCell.identifiers) return;
    const out = this.#out;
    const start = out.begin();
    for (
      let first = DetailCell.identifiers;
      first <= lastCell;
      first += IDENTIFIER_TEXTS
    ) {
      if (filled(row, first, IDENTIFIER_TEXTS) === 0) continue;
      const slotStart = out.at;
      out.filledTo = slotStart;
      for (let text = 0; text < IDENTIFIER_TEXTS; text++)
        out.cell(row, first + text);
      if (out.filledTo === slotStart) out.at = slotStart;
    }
    out.section(BlobSection.identifiers, start);
  }

  /** A section with a single record of cells that follow each other. */
  #onlyRecord(
    row: ScannedRow,
    section: number,
    first: number,
    count: number,
  ): void {
    const texts = filled(row, first, count);
    if (texts === 0) return;
    const out = this.#out;
    const start = out.begin();
    for (let text = 0; text < texts; text++) out.cell(row, first + text);
    this.#endOnly(section, start);
  }

  /** Ends a section with a single record, without its trailing empty texts. */
  #endOnly(section: number, start: number): void {
    this.#out.at = this.#out.filledTo;
    this.#out.section(section, start);
  }
}

function hasStatus(row: ScannedRow): boolean {
  return !(
    isEmpty(row, Cell.deactivationDate) &&
    isEmpty(row, DetailCell.reason) &&
    isEmpty(row, Cell.reactivationDate) &&
    isEmpty(row, DetailCell.replacementNpi)
  );
}

function npiOfCell({ bytes, ends, starts }: ScannedRow, cell: number): number {
  return npiOfBytes(bytes, starts[cell]!, ends[cell]!);
}

function isEmpty({ ends, starts }: ScannedRow, cell: number): boolean {
  return starts[cell] === ends[cell];
}

/** The number of cells from `first` up to the last one that is not empty. */
function filled(row: ScannedRow, first: number, count: number): number {
  let length = count;
  while (length > 0 && isEmpty(row, first + length - 1)) length--;
  return length;
}
