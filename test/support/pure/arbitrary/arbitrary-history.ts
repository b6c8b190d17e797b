/** Sequences of registry files: full files, weeks in and out of order, repetitions, always with the same few NPIs. */

import * as fc from "fast-check";
import {
  arbitraryCentroids,
  arbitraryRow,
  type References,
} from "./arbitrary-registry.ts";
import { TAXONOMY } from "./colliding-values.ts";
import { rawValue } from "../registry/raw-row.ts";
import type {
  ImportOptions,
  RegistryFile,
} from "../reference/reference-registry.ts";

interface ImportStep {
  file: RegistryFile;
  options: ImportOptions;
}

interface History extends References {
  steps: readonly ImportStep[];
}

/** NPIs in all files of a history: so few that every file meets rows of earlier ones. */
const NPIS = 12;
const WEEK_DAYS = 7;
const FIRST_SUNDAY = Date.UTC(2021, 5, 6);

/**
 * A history of one to six files. No two files have the same period, unless the same file is repeated right away. All
 * rows are usable, and full files are forced, so the import's limits on bad and missing rows never apply.
 */
export function arbitraryHistory(): fc.Arbitrary<History> {
  const step = fc.record({
    kind: fc.constantFrom<RegistryFile["kind"]>(
      "weekly",
      "weekly",
      "weekly",
      "full",
    ),
    week: fc.nat(5),
    // The registry's files have each NPI once. With several rows, the newest may win or the last, in a forced older
    // week.
    rows: fc.uniqueArray(arbitraryRow(NPIS), {
      minLength: 1,
      maxLength: 14,
      selector: (row) => rawValue(row, "npi"),
    }),
    deactivatedDetails: fc.constantFrom<ImportOptions["deactivatedDetails"]>(
      "keep",
      "keep",
      "withhold",
    ),
    force: fc.boolean(),
    twice: fc.nat(5).map((number) => number === 5),
  });
  const steps = fc.uniqueArray(step, {
    minLength: 1,
    maxLength: 6,
    selector: ({ kind, week }) => `${kind} ${week}`,
  });
  return fc.record({
    steps: steps.map((each) =>
      each.flatMap(({ kind, week, rows, deactivatedDetails, force, twice }) => {
        const file = { kind, ...period(kind, week), rows };
        const once = {
          file,
          options: { deactivatedDetails, force: force || kind === "full" },
        };
        if (!twice) return [once];
        return [once, { file, options: { deactivatedDetails, force: false } }];
      }),
    ),
    taxonomy: fc.constant(new Map(TAXONOMY)),
    centroids: arbitraryCentroids(),
  });
}

/** Weeks run from Monday to Sunday; a full file starts with the registry and also ends on a Sunday. */
function period(
  kind: RegistryFile["kind"],
  week: number,
): { from: string; to: string } {
  const sunday = FIRST_SUNDAY + week * WEEK_DAYS * 86_400_000;
  const monday = sunday - (WEEK_DAYS - 1) * 86_400_000;
  return {
    from: kind === "full" ? "2005-05-23" : isoDay(monday),
    to: isoDay(sunday),
  };
}

function isoDay(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
