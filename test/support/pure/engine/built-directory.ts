/** A real directory out of registry rows: CSV text → row reader → snapshot file → search. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DETAIL_COLUMNS } from "../../../../src/registry/details/detail-encoder.ts";
import { DETAIL_PARTS } from "../../../../src/contract/detail-parts.ts";
import { bindHeader } from "../../../../src/registry/rows/header.ts";
import { RowReader } from "../../../../src/registry/rows/row-reader.ts";
import { ParsedDirectory } from "./parsed-directory.ts";
import type { Point } from "../../../../src/search/query.ts";
import { buildSnapshot } from "../../../../src/snapshot/build/build.ts";
import { DetailsReader } from "../../../../src/snapshot/details/details-reader.ts";
import { DetailsWriter } from "../../../../src/snapshot/details/details-writer.ts";
import { taxonomyTable } from "../../../../src/reference/taxonomy-table.ts";
import { SnapshotDraft } from "../../../../src/snapshot/build/draft.ts";
import { readSharedFile } from "../../../../src/snapshot/container/shared-file.ts";
import { RowDetails } from "../../../../src/importing/row-details.ts";
import { Snapshot } from "../../../../src/snapshot/snapshot.ts";
import {
  DETAILS_FILE,
  SNAPSHOT_FILE,
} from "../../../../src/store/unfinished-builds.ts";
import { ExtendedIndexBuilder } from "../../../../src/snapshot/extended/extended-index-builder.ts";
import type { UpdatedColumn } from "../../../../src/snapshot/postings/updated-days.ts";
import type { RawRow } from "../registry/raw-row.ts";
import { officialLayout, registryCsv } from "../registry/registry-csv.ts";

export interface DirectoryContents {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly rows: readonly RawRow[];
  readonly taxonomyNames: ReadonlyMap<string, string>;
  readonly centroids: ReadonlyMap<string, Point>;
  /** The days of updates, where another thread is to read them. */
  readonly updated?: UpdatedColumn;
}

/** Builds the snapshot of one full file and opens it. Throws when a row cannot be used. */
export async function buildDirectory(
  contents: DirectoryContents,
): Promise<ParsedDirectory> {
  const folder = await mkdtemp(join(tmpdir(), "directory-"));
  try {
    writeSnapshot(contents, folder);
    const snapshot = new Snapshot(
      readSharedFile(join(folder, SNAPSHOT_FILE)),
      contents.updated,
    );
    const details = new DetailsReader(join(folder, DETAILS_FILE));
    return new ParsedDirectory(snapshot, details);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Builds the snapshot of one full file in a folder. Throws when a row cannot be used. */
export function writeSnapshot(
  contents: DirectoryContents,
  folder: string,
): void {
  const path = join(folder, SNAPSHOT_FILE);
  const detailsPath = join(folder, DETAILS_FILE);
  {
    using writer = new DetailsWriter(detailsPath, contents.id);
    const draft = draftOf(contents.rows, writer);
    buildSnapshot(draft, null, contextOf(contents), path);
    writer.finish([...DETAIL_PARTS], contents.taxonomyNames);
  }
  using extended = new ExtendedIndexBuilder({
    detailsPath,
    taxonomyNames: contents.taxonomyNames,
  });
  extended.write(path);
}

function draftOf(
  rows: readonly RawRow[],
  writer: DetailsWriter,
): SnapshotDraft {
  const layout = officialLayout();
  const text = registryCsv(rows, layout);
  const draft = new SnapshotDraft();
  const parts = new Set(DETAIL_PARTS);
  const details = new RowDetails(writer, {
    parts,
    supplementary: [],
    base: null,
    isUpdate: false,
  });
  const header = bindHeader(layout.columns, "rows", DETAIL_COLUMNS);
  const reader = new RowReader(header, 2, {
    details: parts,
    onRow: (row) => {
      draft.add(row, 0);
      details.add(row);
    },
    onBadRow: (bad) => {
      throw new Error(`Line ${bad.line}: ${bad.reason}`);
    },
  });
  reader.push(Buffer.from(text.slice(text.indexOf("\n") + 1)));
  reader.end();
  return draft;
}

function contextOf(contents: DirectoryContents) {
  const { id, createdAt, taxonomyNames, centroids } = contents;
  const zips = [...centroids].sort(([a], [b]) => (a < b ? -1 : 1));
  const file = {
    name: "npidata_pfile_20050523-20261109.csv",
    kind: "full" as const,
    begin: "2005-05-23",
    end: "2026-11-09",
    bytes: 1,
    crc32: 1,
  };
  return {
    metadata: {
      id,
      createdAt,
      files: [file],
      demo: false,
      madeFrom: null,
      taxonomySource: "a test",
      details: DETAIL_PARTS,
    },
    taxonomyTable: taxonomyTable(taxonomyNames),
    centroids: () => ({
      zips: Uint32Array.from(zips, ([zip]) => Number(zip)),
      lat: Float64Array.from(zips, ([, { lat }]) => lat),
      lng: Float64Array.from(zips, ([, { lng }]) => lng),
    }),
  };
}
