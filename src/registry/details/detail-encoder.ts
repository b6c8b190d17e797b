import {
  BlobSection,
  IDENTIFIER_TEXTS,
  IDENTITY_TEXTS,
  IdentityText,
  MAILING_TEXTS,
  MAIN_ROW_NAME_TEXTS,
} from "./detail-blob.ts";
import { DetailCell } from "./detail-cells.ts";
import type { DetailPart } from "../../contract/detail-parts.ts";
import { Cell, TAXONOMY_SLOTS } from "../rows/header.ts";
import type { ScannedRow } from "../rows/values.ts";
import { TextWriter } from "./text-writer.ts";

/** Writes the details in a provider's own row as the start of a blob: `bytes[0, end)`. */
export class DetailEncoder {
  readonly #out = new TextWriter();
  readonly #hasIdentity: boolean;
  readonly #hasTaxonomies: boolean;
  readonly #hasOtherNames: boolean;
  readonly #hasMailingAddress: boolean;
  readonly #hasIdentifiers: boolean;

  constructor(parts: ReadonlySet<DetailPart>) {
    this.#hasIdentity = parts.has("identity");
    this.#hasTaxonomies = parts.has("taxonomies");
    this.#hasOtherNames = parts.has("other_names");
    this.#hasMailingAddress = parts.has("mailing_address");
    this.#hasIdentifiers = parts.has("identifiers");
  }

  get bytes(): Uint8Array {
    return this.#out.bytes;
  }

  get end(): number {
    return this.#out.at;
  }

  /** A withheld row has only the status. */
  encode(row: ScannedRow, isWithheld: boolean): void {
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
    if (
      isEmpty(row, Cell.deactivationDate) &&
      isEmpty(row, DetailCell.reason) &&
      isEmpty(row, Cell.reactivationDate) &&
      isEmpty(row, DetailCell.replacementNpi)
    )
      return;
    const out = this.#out;
    const start = out.begin();
    out.cell(row, DetailCell.reason);
    out.date(row, Cell.deactivationDate);
    out.date(row, Cell.reactivationDate);
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

function isEmpty({ ends, starts }: ScannedRow, cell: number): boolean {
  return starts[cell] === ends[cell];
}

/** The number of cells from `first` up to the last one that is not empty. */
function filled(row: ScannedRow, first: number, count: number): number {
  let length = count;
  while (length > 0 && isEmpty(row, first + length - 1)) length--;
  return length;
}
