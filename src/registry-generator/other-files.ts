import { headerLine, MAX_ROW_BYTES, type WriteRows } from "./csv-row.ts";
import { LOCATION_COLUMNS, locationRows } from "./places/locations.ts";
import { OTHER_NAME_COLUMNS, otherNameRows } from "./names/other-names.ts";
import type { RegistryRows } from "./registry-rows.ts";

/** The rows of a file that the registry's zip holds beside the main one, in the order of the main one's providers. */
class OtherFileRows {
  readonly fileName: string;
  readonly header: Uint8Array;
  /** Of the main file's rows: how many there are, and how many have been asked for what this file says of them. */
  readonly total: number;
  written = 0;
  readonly #providers: RegistryRows;
  readonly #write: WriteRows;
  #isHeaderWritten = false;

  constructor(
    kind: string,
    columns: readonly string[],
    write: WriteRows,
    providers: RegistryRows,
  ) {
    this.fileName = providers.fileName.replace(/^npidata/, kind);
    this.header = headerLine(columns);
    this.total = providers.total;
    this.#providers = providers;
    this.#write = write;
  }

  /** Fills a buffer (16 KB or more) with whole lines; returns how many bytes it wrote, 0 when there are no more. */
  fill(target: Uint8Array): number {
    let at = 0;
    if (!this.#isHeaderWritten) {
      target.set(this.header);
      at = this.header.length;
      this.#isHeaderWritten = true;
    }
    while (this.written < this.total && at + MAX_ROW_BYTES <= target.length) {
      const { index, change } = this.#providers.providerAt(this.written++);
      at = this.#write(target, at, index, change);
    }
    return at;
  }
}

/** The other files that go with the rows of a main file: other names of organizations, and secondary practice locations. */
export function otherFileRows(providers: RegistryRows): OtherFileRows[] {
  const { seed, writer } = providers;
  return [
    new OtherFileRows(
      "othername",
      OTHER_NAME_COLUMNS,
      otherNameRows(seed, writer),
      providers,
    ),
    new OtherFileRows(
      "pl",
      LOCATION_COLUMNS,
      locationRows(seed, writer),
      providers,
    ),
  ];
}
