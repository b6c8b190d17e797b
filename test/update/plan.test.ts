import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { dayOfIso, isoDate } from "../../src/text/dates.ts";
import { decideImport } from "../../src/importing/import-decision.ts";
import type { AppliedFile } from "../../src/snapshot/metadata.ts";
import type { OfferedFile } from "../../src/update/offers/offered-file.ts";
import {
  planUpdate,
  type Installed,
  type PlannedFile,
  type UpdatePlan,
} from "../../src/update/plan/plan.ts";

const NOTHING: Installed = {
  files: [],
  taxonomyVersion: null,
  deactivationsDate: null,
  rolledBack: [],
};

function full(month: string, end: string | null = null): OfferedFile {
  return { kind: "full", month, end, ...named(`full ${month}`) };
}

function week(begin: string, end: string): OfferedFile {
  return { kind: "week", begin, end, ...named(`week ${begin}`) };
}

function named(name: string): { name: string; url: URL } {
  return { name, url: new URL(`https://mirror.example/${name}`) };
}

function held(...files: readonly OfferedFile[]): Installed {
  return { ...NOTHING, files: files.flatMap(applied) };
}

function applied(file: PlannedFile): AppliedFile[] {
  const facts = { name: file.name, bytes: 1, crc32: dayOfName(file.name) };
  if (file.kind === "full")
    return [{ ...facts, kind: "full", begin: "2005-05-23", end: file.end }];
  if (file.kind === "week")
    return [{ ...facts, kind: "week", begin: file.begin, end: file.end }];
  return [];
}

/** Some number that differs between the names. */
function dayOfName(name: string): number {
  return Number(name.replace(/\D/g, ""));
}

function plan(
  files: readonly OfferedFile[],
  installed: Installed,
): string[] | string {
  return summary(planUpdate({ files, taxonomy: null }, installed));
}

function summary(planned: UpdatePlan): string[] | string {
  return planned.status === "update"
    ? planned.files.map(({ name }) => name)
    : planned.message;
}

const OCTOBER = full("2026-10", "2026-10-11");
const NOVEMBER = full("2026-11");
const WEEKS = [
  week("2026-10-26", "2026-11-01"),
  week("2026-11-02", "2026-11-08"),
  week("2026-11-09", "2026-11-15"),
  week("2026-11-16", "2026-11-22"),
];

test("an empty installation gets the newest full file and the weeks after it", () => {
  assert.deepEqual(plan([...WEEKS, full("2026-10"), NOVEMBER], NOTHING), [
    "full 2026-11",
    "week 2026-11-09",
    "week 2026-11-16",
  ]);
});

test("the full file's last day decides on the weeks, once it is known", () => {
  const late = full("2026-11", "2026-11-15");
  assert.deepEqual(plan([...WEEKS, late], NOTHING), [
    "full 2026-11",
    "week 2026-11-16",
  ]);
  const early = full("2026-11", "2026-11-02");
  assert.deepEqual(plan([...WEEKS, early], NOTHING), [
    "full 2026-11",
    "week 2026-11-02",
    "week 2026-11-09",
    "week 2026-11-16",
  ]);
});

test("an installation with data gets only the weeks after its data", () => {
  const files = held(OCTOBER, week("2026-10-12", "2026-11-08"));
  assert.deepEqual(plan(WEEKS, files), ["week 2026-11-09", "week 2026-11-16"]);
});

test("does not fetch another full file of the same month", () => {
  const files = held(full("2026-11", "2026-11-08"));
  assert.deepEqual(plan([NOVEMBER, ...WEEKS], files), [
    "week 2026-11-09",
    "week 2026-11-16",
  ]);
});

test("with nothing newer on offer, the data is current", () => {
  const files = held(full("2026-11", "2026-11-08"), ...WEEKS.slice(2));
  assert.equal(
    plan([NOVEMBER, ...WEEKS], files),
    "Up to date: the data goes through 2026-11-22, and the source has nothing newer.",
  );
});

test("a missing week is named", () => {
  const [first, second, , fourth] = WEEKS;
  assert.ok(first && second && fourth);
  const installed = held(OCTOBER, week("2026-10-12", "2026-10-25"));
  assert.match(
    String(plan([first, second, fourth], installed)),
    /The weekly file from 2026-11-09 to 2026-11-15 is missing/,
  );
  assert.match(
    String(plan([fourth], installed)),
    /The weekly file from 2026-10-26 to 2026-11-15 is missing/,
  );
});

test("a skipped week is fetched with those after it", () => {
  const [first, second, third, fourth] = WEEKS;
  assert.ok(first && second && third && fourth);
  const installed = held(OCTOBER, first, third);
  assert.deepEqual(plan(WEEKS, installed), [second.name, fourth.name]);
  assert.deepEqual(plan([second], held(OCTOBER, first, third, fourth)), [
    second.name,
  ]);
});

test("days that the source lacks are reported if the data is current", () => {
  const [first, second, third, fourth] = WEEKS;
  assert.ok(first && second && third && fourth);
  assert.match(
    String(plan([fourth], held(OCTOBER, first, third, fourth))),
    /^Up to date: .* No imported file covers 2026-10-12 to 2026-10-25, 2026-11-02 to 2026-11-08, and the source has none; the next full file will\.$/,
  );
});

test("days whose file was rolled back are not said to be lacking in the source", () => {
  const [first, , third, fourth] = WEEKS;
  assert.ok(first && third && fourth);
  const installed = {
    ...held(OCTOBER, first, third, fourth),
    rolledBack: [
      {
        kind: "week" as const,
        begin: "2026-11-02",
        end: "2026-11-08",
        on: "2026-11-30",
      },
    ],
  };
  assert.match(
    String(plan(WEEKS, installed)),
    /No imported file covers 2026-10-12 to 2026-10-25, 2026-11-02 to 2026-11-08, and the source has only what was rolled back; the next full file will\.$/,
  );
});

test("a missing week does not matter when a newer full file covers it", () => {
  const installed = held(OCTOBER, week("2026-10-12", "2026-10-25"));
  assert.deepEqual(plan([NOVEMBER, ...WEEKS.slice(2)], installed), [
    "full 2026-11",
    "week 2026-11-09",
    "week 2026-11-16",
  ]);
});

test("skips a newer full file that would take the data back in time", () => {
  const installed = held(OCTOBER, week("2026-10-12", "2026-11-15"));
  for (const end of [null, "2026-11-08"])
    assert.match(
      String(plan([full("2026-11", end)], installed)),
      /^Up to date: the data goes through 2026-11-15/,
    );
  assert.deepEqual(plan([NOVEMBER, ...WEEKS], installed), [
    "full 2026-11",
    "week 2026-11-09",
    "week 2026-11-16",
  ]);
});

test("without data, an update needs a full file", () => {
  assert.match(String(plan(WEEKS, NOTHING)), /the source has no full file /);
});

test("taxonomy comes first and the deactivation report last, each only if newer", () => {
  const taxonomy = { kind: "taxonomy", version: 261, ...named("t") } as const;
  const report: OfferedFile = {
    kind: "deactivations",
    date: "2026-11-09",
    ...named("r"),
  };
  const offered = { files: [report, NOVEMBER], taxonomy };
  assert.deepEqual(summary(planUpdate(offered, NOTHING)), [
    "t",
    "full 2026-11",
    "r",
  ]);
  const installed = {
    ...held(full("2026-11", "2026-11-08")),
    taxonomyVersion: 261,
    deactivationsDate: "2026-11-09",
  };
  assert.equal(planUpdate(offered, installed).status, "current");
});

test("a deactivation report that is newer than the data hides no week", () => {
  const installed = held(full("2026-11", "2026-11-08"));
  const report = {
    kind: "deactivations",
    begin: null,
    end: "2026-11-30",
  } as const;
  const files = [...installed.files, report];
  assert.deepEqual(
    plan(WEEKS, { ...installed, files }),
    plan(WEEKS, installed),
  );
});

test("data of an unknown date takes all weeks", () => {
  const installed = held(full("2026-11"));
  assert.deepEqual(
    plan(WEEKS, installed),
    WEEKS.map(({ name }) => name),
  );
});

const FIRST_MONDAY = dayOfIso("2026-08-31");
const MONTHS = ["2026-09", "2026-10", "2026-11"];

function weekOf(number: number): OfferedFile {
  const begin = FIRST_MONDAY + 7 * number;
  return week(isoDate(begin) ?? "", isoDate(begin + 6) ?? "");
}

function fullOf(month: number, dayOfMonth: number): OfferedFile {
  const name = MONTHS[month] ?? "";
  return full(name, `${name}-${String(dayOfMonth).padStart(2, "0")}`);
}

const arbitraryFull = fc
  .tuple(fc.nat(2), fc.integer({ min: 1, max: 30 }))
  .map(([month, day]) => fullOf(month, day));

/** Some of thirteen weeks in any order, and some full files of three months, all ends known. */
const arbitraryOffer = fc
  .tuple(
    fc.shuffledSubarray([...Array(13).keys()]),
    fc.uniqueArray(arbitraryFull, {
      maxLength: 2,
      selector: ({ name }) => name,
    }),
  )
  .map(([weeks, fulls]) => weeks.map(weekOf).concat(fulls));

const arbitraryInstalled = fc
  .tuple(
    fc.option(arbitraryFull, { nil: null }),
    fc.uniqueArray(fc.nat(12), { maxLength: 3 }),
  )
  .map(([base, weeks]) =>
    held(
      ...(base === null ? [] : [base]),
      ...weeks.sort((a, b) => a - b).map(weekOf),
    ),
  );

/** The rules read the obvious way: day by day, and each way of going on tried in turn. Null when none is any good. */
function obviousPlan(
  files: readonly OfferedFile[],
  installed: Installed,
): string[] | null {
  const newest = files
    .flatMap((file) => (file.kind === "full" ? [file] : []))
    .sort((a, b) => a.month.localeCompare(b.month))
    .at(-1);
  const inUse = installed.files.find(({ kind }) => kind === "full")?.end ?? "";
  const installedDay = Math.max(
    0,
    ...installed.files.map(({ end }) => dayOfIso(end ?? "")),
  );
  const starts = [
    ...(newest !== undefined && (newest.end ?? "") > inUse ? [newest] : []),
    ...(installedDay > 0 ? [null] : []),
  ];
  for (const start of starts) {
    const from = start === null ? installedDay : dayOfIso(start.end ?? "");
    const leftOut = start === null ? daysLeftOut(installed) : [];
    const weeks = files.flatMap((file) =>
      file.kind === "week" &&
      (dayOfIso(file.end) > from ||
        leftOut.some(
          (day) => dayOfIso(file.begin) <= day && day <= dayOfIso(file.end),
        ))
        ? [file]
        : [],
    );
    const days = new Set<number>();
    for (const { begin, end } of weeks)
      for (let day = dayOfIso(begin); day <= dayOfIso(end); day++)
        days.add(day);
    const last = Math.max(from, ...days);
    let isGood = last >= installedDay;
    for (let day = from + 1; day <= last; day++) isGood &&= days.has(day);
    if (isGood)
      return [
        ...(start === null ? [] : [start.name]),
        ...weeks.map(({ name }) => name).sort(),
      ];
  }
  return null;
}

test("equals the plan of an obvious reading, whatever is offered and installed", () => {
  fc.assert(
    fc.property(arbitraryOffer, arbitraryInstalled, (files, installed) => {
      const planned = planUpdate({ files, taxonomy: null }, installed);
      const expected = obviousPlan(files, installed);
      const found =
        planned.status === "blocked"
          ? null
          : planned.status === "current"
            ? []
            : planned.files.map(({ name }) => name);
      assert.deepEqual(found, expected);
    }),
    { numRuns: 2_000 },
  );
});

test("the import accepts every file of a plan, and then the data is current", () => {
  fc.assert(
    fc.property(arbitraryOffer, arbitraryInstalled, (files, installed) => {
      const planned = planUpdate({ files, taxonomy: null }, installed);
      if (planned.status !== "update") return;
      let now = installed.files.map((file) => ({
        ...file,
        name: "",
        bytes: 0,
        crc32: 0,
      }));
      for (const file of planned.files) {
        for (const next of applied(file)) {
          const { begin, end, kind, name } = next;
          assert.ok(kind !== "deactivations");
          const period =
            kind === "week"
              ? { kind, begin: begin ?? "", end: end ?? "" }
              : { kind, begin, end };
          const decision = decideImport(
            now,
            { name, period, bytes: next.bytes, crc32: next.crc32 },
            false,
          );
          assert.equal(decision.status, "import", name);
          now = kind === "full" ? [next] : [...now, next];
        }
      }
      const after = { ...installed, files: now };
      const again = planUpdate({ files, taxonomy: null }, after);
      assert.equal(again.status, "current");
    }),
    { numRuns: 2_000 },
  );
});

test("is never blocked by a day that the full file itself would reveal", () => {
  fc.assert(
    fc.property(arbitraryOffer, arbitraryInstalled, (files, installed) => {
      const unseen = files.map((file) =>
        file.kind === "full" ? { ...file, end: null } : file,
      );
      const before = planUpdate({ files: unseen, taxonomy: null }, installed);
      const after = planUpdate({ files, taxonomy: null }, installed);
      // The one exception: a second full file for a month, whose end is unknown until it is read.
      if (before.status === "blocked" && after.status !== "blocked")
        assert.equal(
          files.some(
            (file) =>
              file.kind === "full" &&
              installed.files.some(
                ({ end }) => end?.slice(0, 7) === file.month,
              ),
          ),
          true,
        );
    }),
    { numRuns: 2_000 },
  );
});

/** The days that no imported week covers, between the full file (or the first week's start) and the last week. */
function daysLeftOut({ files }: Installed): number[] {
  const weeks = files.filter(({ kind }) => kind === "week");
  const base = files.find(({ kind }) => kind === "full");
  const starts = weeks.map(({ begin }) => dayOfIso(begin ?? ""));
  const ends = weeks.map(({ end }) => dayOfIso(end ?? ""));
  const last = Math.max(0, ...ends);
  let day =
    base === undefined ? Math.min(last, ...starts) : dayOfIso(base.end ?? "");
  const days: number[] = [];
  for (day++; day < last; day++)
    if (!starts.some((begin, at) => begin <= day && day <= ends[at]!))
      days.push(day);
  return days;
}

test("skips files that were rolled back, until a newer full file replaces them", () => {
  const on = "2026-11-23";
  const [first, second, third] = WEEKS.slice(1);
  const report: OfferedFile = {
    kind: "deactivations",
    date: "2026-11-09",
    ...named("report"),
  };
  const installed: Installed = {
    ...held(OCTOBER, WEEKS[0]!),
    rolledBack: [
      { kind: "week", begin: "2026-11-02", end: "2026-11-08", on },
      { kind: "deactivations", begin: null, end: "2026-11-09", on },
      { kind: "taxonomy", version: 261, on },
    ],
  };
  const taxonomy = {
    kind: "taxonomy" as const,
    version: 261,
    ...named("table"),
  };
  const current = planUpdate({ files: [first!, report], taxonomy }, installed);
  assert.equal(current.status, "current");
  assert.deepEqual(
    current.notes,
    ["week 2026-11-02", "report", "table"].map(
      (name) =>
        `Skipping ${name}: it was rolled back on 2026-11-23. To import it again, run update --force.`,
    ),
  );
  assert.match(
    String(plan([first!, second!], installed)),
    /^Later weekly files build on the one from 2026-11-02 to 2026-11-08, which was rolled back\./,
  );
  assert.deepEqual(plan([first!, second!, third!, NOVEMBER], installed), [
    "full 2026-11",
    "week 2026-11-09",
    "week 2026-11-16",
  ]);
  assert.match(
    String(
      plan([NOVEMBER], {
        ...held(OCTOBER),
        rolledBack: [
          { kind: "full", begin: "2005-05-23", end: "2026-11-08", on },
        ],
      }),
    ),
    /the source has nothing else\.$/,
  );
});
