import type { DetailPart } from "../contract/detail-parts.ts";
import { SECTIONS, type Section } from "../contract/provider-fields.ts";
import {
  Entity,
  NO_DATE,
  type ProviderRow,
} from "../registry/rows/provider-row.ts";
import type { BaseSnapshot } from "../snapshot/base-snapshot.ts";
import type { DetailsReader } from "../snapshot/details/details-reader.ts";
import type { DetailsView } from "../snapshot/details/details-view.ts";
import type { DetailsWriter } from "../snapshot/details/details-writer.ts";
import { RowFilter, type SupplementaryRows } from "./supplementary-rows.ts";
import {
  ByteReader,
  varintBytes,
  writeVarint,
} from "../snapshot/bytes/varint.ts";

const STATUS = SECTIONS.status.number;
const ALL = Object.values<Section>(SECTIONS);
const AFTER_STATUS = ALL.filter(({ number }) => number !== STATUS);
const OF_ROW = ALL.filter(({ from }) => from === "row");
const OF_FILES = ALL.filter(({ from }) => from === "file");

/** The sources of a row's details. */
export interface RowDetailsSources {
  parts: ReadonlySet<DetailPart>;
  /** The zip's supplementary files. */
  supplementary: readonly SupplementaryRows[];
  /** Details from the base; null if it has none. */
  base: { snapshot: BaseSnapshot; details: DetailsReader } | null;
  /** True if the file is merged into the base: then the base's parts that the file lacks are kept. */
  isUpdate: boolean;
}

/** The rows that become a section; null if the zip lacks their file. */
interface SectionRows {
  readonly section: number;
  readonly rows: SupplementaryRows | null;
  /** The bit of their file in a RowFilter. */
  readonly bit: number;
}

/** Writes the details of a file's rows, merged with the base's details of the same NPIs. */
export class RowDetails {
  readonly #writer: DetailsWriter;
  readonly #sources: RowDetailsSources;
  /** The sections of OF_FILES whose parts are kept. */
  readonly #rows: readonly SectionRows[];
  readonly #filter: RowFilter;
  /** Header of a section built here: its number and length. */
  readonly #header = new Uint8Array(6);

  constructor(writer: DetailsWriter, sources: RowDetailsSources) {
    this.#writer = writer;
    this.#sources = sources;
    this.#filter = new RowFilter(sources.supplementary);
    const { supplementary } = sources;
    this.#rows = OF_FILES.filter(({ part }) => sources.parts.has(part)).map(
      ({ number: section }) => {
        const index = supplementary.findIndex(
          ({ file }) => file.section === section,
        );
        return { section, rows: supplementary[index] ?? null, bit: 1 << index };
      },
    );
  }

  /** Brings the supplementary rows of NPIs into the processor's cache: they are far apart, and each read waits. */
  readAhead(npis: Uint32Array): void {
    this.#filter.readAhead(npis, this.#sources.supplementary);
  }

  /** Writes the file's details of a row's NPI. */
  add(row: ProviderRow): void {
    const writer = this.#writer;
    writer.begin(row.npi);
    this.#addOwn(row);
    if (row.entityType === Entity.withheld) this.leave(row.npi);
    else this.#addFurther(row.npi);
    writer.end();
  }

  /** Writes the base's details of a row's NPI, with the row's deactivation. */
  carryOver(row: ProviderRow): void {
    const writer = this.#writer;
    const stored = this.#stored(row.npi);
    writer.begin(row.npi);
    this.#addOwn(row);
    for (const { number, part } of AFTER_STATUS)
      if (this.#sources.parts.has(part)) this.#copy(stored, number);
    writer.end();
    this.leave(row.npi);
  }

  /** Writes the file's details of a row's NPI, with the base's deactivation. */
  addBeneath(row: ProviderRow): void {
    const writer = this.#writer;
    const { bytes, detailsEnd, detailsStart } = row;
    writer.begin(row.npi);
    if (this.#sources.parts.has("identity"))
      this.#copy(this.#stored(row.npi), STATUS);
    const start = behindStatus(bytes, detailsStart, detailsEnd);
    writer.append(bytes, start, detailsEnd);
    this.#addFurther(row.npi);
    writer.end();
  }

  /** Writes only the base's deactivation of an NPI. */
  withhold(npi: number): void {
    const stored = this.#stored(npi);
    this.#writer.begin(npi);
    if (this.#sources.parts.has("identity")) this.#copy(stored, STATUS);
    this.#writer.end();
    this.leave(npi);
  }

  /** Marks an NPI as done: the file has nothing more for it. */
  leave(npi: number): void {
    if (this.#filter.filesOf(npi) === 0) return;
    for (const rows of this.#sources.supplementary) rows.forEachOf(npi, ignore);
  }

  /**
   * Writes, after all rows of an update, the supplementary rows of NPIs without a row in the file. A withheld NPI keeps
   * its details, if any, and its supplementary rows are ignored, as they would be with a row.
   */
  addRest(): void {
    const { base, isUpdate, supplementary } = this.#sources;
    if (base === null || !isUpdate) return;
    const npis = new Set(
      supplementary.flatMap((rows) => Array.from(rows.unvisited())),
    );
    for (const npi of npis) {
      const doc = base.snapshot.npiIndex.find(npi);
      if (doc < 0 || base.snapshot.isWithheld(doc)) continue;
      const stored = this.#stored(npi);
      this.#writer.begin(npi);
      for (const { number } of OF_ROW) this.#copy(stored, number);
      for (const { rows, section } of this.#rows)
        this.#addSection(npi, section, ofNpi(rows, npi));
      this.#writer.end();
    }
  }

  /** Frees the memory of the supplementary rows. Nothing can be added afterwards. */
  forget(): void {
    for (const rows of this.#sources.supplementary) rows.forget();
  }

  /** Adds the row's own details. A row from a report of deactivated NPIs has only its date. */
  #addOwn({
    bytes,
    deactivationDate,
    detailsEnd,
    detailsStart,
  }: ProviderRow): void {
    if (detailsEnd > detailsStart || deactivationDate === NO_DATE)
      return this.#writer.append(bytes, detailsStart, detailsEnd);
    if (!this.#sources.parts.has("identity")) return;
    const [low, high] = [deactivationDate & 0xff, deactivationDate >>> 8];
    const status = Uint8Array.of(STATUS, 4, 0, 2, low, high);
    this.#writer.append(status, 0, status.length);
  }

  #addFurther(npi: number): void {
    const files = this.#filter.filesOf(npi);
    for (const { bit, rows, section } of this.#rows)
      if (rows === null || (files & bit) !== 0)
        this.#addSection(npi, section, rows);
  }

  #addSection(
    npi: number,
    section: number,
    rows: SupplementaryRows | null,
  ): void {
    if (rows === null) {
      if (this.#sources.isUpdate) this.#copy(this.#stored(npi), section);
      return;
    }
    let length = 0;
    rows.forEachOf(npi, (start, end) => {
      length += end - start;
    });
    if (length === 0) return;
    const writer = this.#writer;
    this.#header[0] = section;
    writeVarint(this.#header, 1, length);
    writer.append(this.#header, 0, 1 + varintBytes(length));
    rows.forEachOf(npi, (start, end) => writer.append(rows.bytes, start, end));
  }

  #stored(npi: number): DetailsView | null {
    const { base } = this.#sources;
    if (base === null) return null;
    const rank = base.snapshot.npiIndex.rank(npi);
    return rank < 0 ? null : base.details.get(npi, rank);
  }

  #copy(stored: DetailsView | null, section: number): void {
    if (stored?.has(section) !== true) return;
    const bytes = stored.section(section);
    this.#writer.append(bytes, 0, bytes.length);
  }
}

/** Finds the end of a blob's status, its first section. */
function behindStatus(blob: Uint8Array, start: number, end: number): number {
  if (start === end || blob[start] !== STATUS) return start;
  const header = new ByteReader(blob, start + 1);
  const length = header.varint();
  return header.at + length;
}

/** Returns the rows, if there are any for an NPI. A file without rows for an NPI says nothing about it. */
function ofNpi(
  rows: SupplementaryRows | null,
  npi: number,
): SupplementaryRows | null {
  return rows?.has(npi) === true ? rows : null;
}

function ignore(): void {}
