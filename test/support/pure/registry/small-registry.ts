/** A separate data folder, and a short way to import small files of invented rows into it. */

import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DETAIL_PARTS } from "../../../../src/contract/detail-parts.ts";
import { checkSnapshot } from "../../../../src/cli/commands/snapshots.ts";
import { taxonomyTable } from "../../../../src/reference/taxonomy-table.ts";
import { ParsedDirectory } from "../engine/parsed-directory.ts";
import { DetailsReader } from "../../../../src/snapshot/details/details-reader.ts";
import {
  importRegistryFile,
  type ImportOutcome,
  type ImportRequest,
} from "../../../../src/importing/import-registry.ts";
import { Snapshot } from "../../../../src/snapshot/snapshot.ts";
import { SnapshotStore } from "../../../../src/store/store.ts";
import { inventedNpi } from "./invented-npi.ts";
import { rawRow, type RawRow, type RowValues } from "./raw-row.ts";
import { officialLayout, registryCsv } from "./registry-csv.ts";

export const FULL = "npidata_pfile_20050523-20261108.csv";

export class SmallRegistry implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "registry-"));
  readonly store = new SnapshotStore(join(this.folder, "data"));

  /** Writes a file of rows and imports it. */
  import(
    name: string,
    rows: readonly RawRow[],
    options: Partial<ImportRequest> = {},
  ): Promise<ImportOutcome> {
    return this.importText(name, registryCsv(rows, officialLayout()), options);
  }

  importText(
    name: string,
    text: string,
    options: Partial<ImportRequest> = {},
  ): Promise<ImportOutcome> {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return this.importPath(path, options);
  }

  /** Imports a file that is there. */
  importPath(
    path: string,
    options: Partial<ImportRequest> = {},
  ): Promise<ImportOutcome> {
    return importRegistryFile({
      path,
      store: this.store,
      taxonomy: {
        table: taxonomyTable(
          new Map([["207Q00000X", "Family Medicine Physician"]]),
        ),
        source: "a test",
      },
      centroids: () => ({
        zips: Uint32Array.of(60_601),
        lat: Float64Array.of(41.88),
        lng: Float64Array.of(-87.62),
      }),
      deactivatedDetails: "keep",
      details: new Set(DETAIL_PARTS),
      force: false,
      demo: false,
      now: Date.now,
      ...options,
    });
  }

  /** The snapshot that would be served. */
  snapshot(): Snapshot {
    return new Snapshot(this.store.share(this.store.currentId() ?? "none"));
  }

  /** What the command `snapshots verify` says is wrong with it. */
  faults(): string[] {
    return checkSnapshot(this.store, this.store.currentId() ?? "none").faults;
  }

  /** Its details file. */
  detailsPath(): string {
    return this.store.detailsPathOf(this.store.currentId() ?? "none");
  }

  directory(): ParsedDirectory {
    const path = this.detailsPath();
    const details = existsSync(path) ? new DetailsReader(path) : null;
    return new ParsedDirectory(this.snapshot(), details);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** An individual with the NPI of a number, unlike others only in what `values` say. */
export function person(number: number, values: RowValues = {}): RawRow {
  return rawRow(
    {
      npi: npiOf(number),
      entityType: "1",
      last: "EXAMPLE",
      first: "PAT",
      address1: "1 INVENTED WAY",
      city: "CHICAGO",
      state: "IL",
      postalCode: "606010001",
      country: "US",
      enumerationDate: "05/01/2010",
      lastUpdated: "01/02/2024",
      ...values,
    },
    [{ code: "207Q00000X", primary: "Y" }],
  );
}

/** A deactivated NPI of which the registry shows nothing but the date. */
export function withheld(number: number, deactivationDate: string): RawRow {
  return rawRow({ npi: npiOf(number), deactivationDate });
}

export function people(count: number): RawRow[] {
  return Array.from({ length: count }, (_, number) => person(number));
}

export function npiOf(number: number): string {
  return inventedNpi(100_000_000 + number);
}
