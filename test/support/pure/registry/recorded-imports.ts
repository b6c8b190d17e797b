/** Imports of details that are recorded in the list of changes, and what the list then has. */

import assert from "node:assert/strict";
import type { ChangedDetails } from "../../../../src/changes/change.ts";
import { ChangeReader } from "../../../../src/changes/change-reader.ts";
import { recordChanges } from "../../../../src/changes/record-changes.ts";
import type { FileWithDetails } from "../reference/reference-details.ts";
import type { RawRow } from "./raw-row.ts";
import { importZip } from "./registry-zip.ts";
import { person, type SmallRegistry } from "./small-registry.ts";

/** Imports a zip and records what it changed. */
export async function importRecorded(
  registry: SmallRegistry,
  period: string,
  file: FileWithDetails,
  deactivatedDetails: "keep" | "withhold" = "keep",
): Promise<void> {
  const { store } = registry;
  await importZip(
    registry,
    period,
    { endpoints: null, ...file },
    {
      deactivatedDetails,
      onBuilt: (built) =>
        void recordChanges(built, { store, now: Date.now, keepDays: 400 }),
    },
  );
}

/** The changed details that the list has for the last import, by NPI. */
export function listedDetails(
  registry: SmallRegistry,
): Map<string, ChangedDetails> {
  using reader = new ChangeReader(registry.store.dataDir);
  const { sets } = reader.lineage(registry.store.currentId() ?? "");
  const set = sets.at(-1);
  assert.ok(set !== undefined);
  return new Map(
    [...reader.changes(set, null, true)].flatMap(({ details, npi }) =>
      details === undefined ? [] : [[npi, details] as const],
    ),
  );
}

/** A person's row with a mailing address. */
export function mailing(
  number: number,
  address: string,
  last = "EXAMPLE",
): RawRow {
  return {
    ...person(number, { last }),
    "Provider First Line Business Mailing Address": address,
  };
}

/** The files of a zip with rows, and nothing further. */
export const onlyRows = (rows: readonly RawRow[]) => ({
  rows,
  otherNames: [],
  locations: [],
  endpoints: [],
});
