import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { DETAIL_PARTS } from "../../src/contract/detail-parts.ts";
import type { ImportRequest } from "../../src/importing/import-registry.ts";
import type { ParsedDirectory } from "../support/pure/engine/parsed-directory.ts";
import { verifySnapshot } from "../../src/snapshot/verify/verify.ts";
import { check } from "../support/pure/arbitrary/check.ts";
import { rounds } from "../support/pure/full-run.ts";
import { writeReport } from "../support/pure/registry/deactivation-report.ts";
import {
  arbitraryLife,
  publishedFiles,
  type PublishedFile,
} from "../support/pure/registry/registry-lives.ts";
import { importZip } from "../support/pure/registry/registry-zip.ts";
import {
  npiOf,
  person,
  SmallRegistry,
  withheld,
} from "../support/pure/registry/small-registry.ts";

describe("the same files in another order", () => {
  for (const deactivatedDetails of ["keep", "withhold"] as const)
    it(`give the same records and details, with the full file first or without one (${deactivatedDetails})`, async () => {
      const reports = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), {
        minLength: 1,
        maxLength: 2,
      });
      const history = fc
        .tuple(
          fc.array(arbitraryLife(), { minLength: 4, maxLength: 8 }),
          reports,
          fc.boolean(),
        )
        .chain(([lives, days, hasFull]) => {
          const [full, ...others] = publishedFiles(lives, days);
          assert.ok(full !== undefined);
          return fc.record({
            inOrder: fc.constant(byDay(others)),
            shuffled: fc.shuffledSubarray(others, {
              minLength: others.length,
            }),
            full: fc.constant(hasFull ? full : null),
          });
        });
      await check(8, history, async ({ full, inOrder, shuffled }) => {
        const options = { deactivatedDetails, force: true };
        assert.deepEqual(
          await recordsAfter(full, shuffled, options),
          await recordsAfter(full, inOrder, options),
        );
      });
    });
});

describe("weeks whose rows have any dates", () => {
  const ENDS = ["1115", "1122", "1129", "1206"];
  // The days of November on which the rows of the first weeks say that they were updated. The last weeks deactivate.
  const quick = [
    [8, 8],
    [9, 8],
  ];
  const full = [...quick, [8, 9], [8, 8, 8], [10, 8, 9]];
  for (const days of full.slice(0, rounds(full.length, quick.length)))
    it(`leave the details of the last one before the deactivation, in every order (${days.join(", ")})`, async () => {
      const weeks = ENDS.slice(0, days.length + 1).map((end, at) => ({
        name: `npidata_pfile_2026${ENDS[at - 1] ?? "1108"}-2026${end}.csv`,
        row:
          days[at] === undefined
            ? withheld(1, "11/24/2026")
            : person(1, {
                last: `VERSION ${at + 1}`,
                lastUpdated: `11/${String(days[at]).padStart(2, "0")}/2026`,
              }),
      }));
      for (const order of permutations(weeks)) {
        using registry = new SmallRegistry();
        for (const { name, row } of order)
          await registry.import(name, [row], { force: true });
        assert.deepEqual(registry.faults(), []);
        using directory = registry.directory();
        const found = directory.recordOf(npiOf(1));
        assert.deepEqual(
          [found?.status, found?.deactivation_date, found?.name?.last],
          ["deactivated", "2026-11-24", `VERSION ${days.length}`],
          order.map(({ name }) => name).join(" "),
        );
      }
    });
});

function* permutations<Item>(items: readonly Item[]): Generator<Item[]> {
  if (items.length === 0) yield [];
  for (const item of items)
    for (const rest of permutations(items.filter((other) => other !== item)))
      yield [item, ...rest];
}

/** The data after the full file and the rest. Without a full file a week comes first: a report needs data. */
async function recordsAfter(
  full: PublishedFile | null,
  others: readonly PublishedFile[],
  options: Partial<ImportRequest>,
) {
  using registry = new SmallRegistry();
  const first = full ?? others.find(({ kind }) => kind === "week");
  assert.ok(first !== undefined);
  for (const file of [first, ...others.filter((each) => each !== first)])
    await importFile(registry, file, options);
  const snapshot = registry.snapshot();
  assert.deepEqual(verifySnapshot(snapshot), []);
  using directory = registry.directory();
  return {
    source: directory.source,
    providers: Array.from(snapshot.npi.toSorted(), (npi) =>
      recordOf(directory, String(npi)),
    ),
  };
}

/** A record with all its details, as in an answer. */
function recordOf(directory: ParsedDirectory, npi: string): unknown {
  const record = directory.lookup.find(npi, DETAIL_PARTS);
  return (
    record && JSON.parse(directory.lookup.rendering.renderRecord(record, {}))
  );
}

async function importFile(
  registry: SmallRegistry,
  file: PublishedFile,
  options: Partial<ImportRequest>,
): Promise<void> {
  if (file.kind !== "report") {
    await importZip(registry, file.period, file.zip, options);
    return;
  }
  // A file without any NPI is refused as broken; the registry's never are.
  if (file.rows.length === 0) return;
  const path = await writeReport(registry.folder, file.rows, file.name);
  const { status } = await registry.importPath(path, options);
  assert.notEqual(status, "refused");
}

/** In order of their end dates. */
function byDay(files: readonly PublishedFile[]): PublishedFile[] {
  return files.toSorted((a, b) => (lastDay(a) < lastDay(b) ? -1 : 1));
}

function lastDay(file: PublishedFile): string {
  if (file.kind !== "report") return file.period.slice(-8);
  const [, month, day, year] = /(..)(..)(..)\.zip$/.exec(file.name) ?? [];
  return `20${year}${month}${day}~`;
}
