import { headerLine, MAX_ROW_BYTES, type WriteRows } from "./csv-row.ts";
import { LOCATION_COLUMNS, locationRows } from "./places/locations.ts";
import { OTHER_NAME_COLUMNS, otherNameRows } from "./names/other-names.ts";
import { ENDPOINT_COLUMNS, endpointRows } from "./endpoints.ts";
import type { RegistryRows } from "./registry-rows.ts";

/** The rows of another file in the registry's zip, in the order of the main file's providers. */
class OtherFileRows {
  readonly fileName: string;
  readonly header: Uint8Array;
  /** The main file's number of rows, and how many have been processed. */
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

  /** Fills a buffer (16 KB or more) with whole lines. Returns the number of bytes, 0 at the end. */
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

/** The files that go with a main file: other names of organizations, secondary practice locations, and endpoints. */
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
    new OtherFileRows(
      "endpoint",
      ENDPOINT_COLUMNS,
      endpointRows(seed, writer),
      providers,
    ),
  ];
}
