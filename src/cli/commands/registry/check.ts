import { createReadStream, statSync } from "node:fs";
import { basename } from "node:path";
import { VERDICTS, type Verdict } from "../../../contract/verdicts.ts";
import { SnapshotStore } from "../../../store/store.ts";
import {
  fail,
  refuseMisuse,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import { missingFolder, noCurrentSnapshot } from "../../data-folder.ts";
import { counted, formatCount, formatTable } from "../../output/format.ts";
import { NewFile } from "../../output/new-file.ts";
import { printable } from "../../output/printable.ts";
import { Progress } from "../../output/progress.ts";
import { DATA_DIR, NPI_COLUMN, OUT } from "../../settings/settings.ts";
import { openCurrent } from "./current-directory.ts";
import { RosterCheck } from "./roster-check.ts";

/** What the summary calls the verdicts. */
const IN_WORDS: Readonly<Record<Verdict, string>> = {
  active: "active",
  deactivated: "deactivated",
  not_found: "not in the registry",
  invalid_check_digit: "with a wrong check digit",
  malformed: "not 10 digits",
};

interface Options {
  readonly dataDir: string;
  readonly column: string;
  readonly out: string | null;
}

export const checkCommand: Command = {
  operands: { text: "FILE.csv", min: 1, max: 1 },
  settings: [NPI_COLUMN, OUT, DATA_DIR],
  summary:
    "Check the NPIs of a CSV file against the data folder, without a service or a key.",
  details: [
    "Prints how many rows have the NPI of an active provider, of a deactivated one, an unknown NPI, a typo, or none. With --out, also writes the rows with new columns: the verdict, suggestions for typos, and the provider's main fields.",
    'Ignores spaces, invisible characters, and what spreadsheets put around a number, as in ="1234567893". Also reads 1234567893.0, 123-456-7893, numbers with spaces inside, and the prefix 80840, and prints which lines have them. A first line such as sep=; says what separates the values. Rows with fewer cells than the header are checked too.',
    "The exit code is 0 if every row has the NPI of an active provider, and 3 if not.",
  ],
  prepare(reader, operands) {
    const options: Options = {
      dataDir: reader.read(DATA_DIR),
      column: reader.read(NPI_COLUMN),
      out: reader.read(OUT),
    };
    return (context) => checkFile(operands[0] ?? "", options, context);
  },
};

async function checkFile(
  file: string,
  { column, dataDir, out }: Options,
  context: Context,
): Promise<ExitCode> {
  if (out !== null && !/\.csv$/i.test(out))
    return refuseMisuse(context, "--out must end in .csv.");
  const missing = missingFolder(dataDir);
  if (missing !== null) return fail(context, missing);
  const { dev, ino, size } = statSync(file);
  const old = out === null ? null : statSync(out, { throwIfNoEntry: false });
  if (old?.dev === dev && old.ino === ino)
    return refuseMisuse(context, "--out is the checked file: name another.");
  if (old?.isDirectory() === true)
    return refuseMisuse(context, "--out is a folder: name a file.");
  const store = new SnapshotStore(dataDir, { create: false });
  using data = openCurrent(store, "held");
  if (data === null) return fail(context, noCurrentSnapshot(store));
  const check = new RosterCheck(data, column, out !== null);
  await using target = out === null ? null : await NewFile.open(out);
  {
    using progress = new Progress(`Checking ${basename(file)}`, context);
    let bytes = 0;
    const input = createReadStream(file, { highWaterMark: 1 << 20 });
    for await (const chunk of input) {
      context.stop.throwIfAborted();
      bytes += chunk.length;
      const problem = check.push(chunk);
      if (problem !== null) return refuseMisuse(context, printable(problem));
      await target?.write(check.takeOutput());
      progress.update({
        done: bytes,
        total: size,
        bytes,
        bytesTotal: size,
        rows: check.rows,
      });
    }
  }
  const problem = check.end();
  if (problem !== null) return refuseMisuse(context, printable(problem));
  await target?.write(check.takeOutput());
  await target?.finish();
  printSummary(check, file, context);
  return check.counts.active === check.rows && check.leftOut.count === 0
    ? 0
    : 3;
}

function printSummary(
  check: RosterCheck,
  file: string,
  context: Context,
): void {
  const lines = VERDICTS.map((verdict) => [
    formatCount(check.counts[verdict]),
    IN_WORDS[verdict],
  ]);
  context.out(`${printable(basename(file))}: ${counted(check.rows, "row")}.`);
  for (const line of formatTable(["ROWS", "ARE"], lines)) context.out(line);
  const odd = [
    [
      check.ungrouped,
      "NPI read without its hyphens, spaces, decimal zeros, or prefix 80840",
    ],
    [check.ragged, "With more or fewer cells than the header"],
    [check.unreadable, "Unreadable, counted as malformed"],
    [check.leftOut, "Too long to be a row, and left out"],
  ] as const;
  for (const [{ count, lines: at }, what] of odd)
    if (count > 0)
      context.out(
        `${what}: ${count > at.length ? `${counted(count, "row")}, the first at ` : ""}${count === 1 ? "line" : "lines"} ${at.join(", ")}.`,
      );
}
