import { createReadStream, statSync } from "node:fs";
import { basename } from "node:path";
import { VERDICTS, type Verdict } from "../../../contract/verdicts.ts";
import {
  command,
  misuse,
  operandsOf,
  type Context,
  type ExitCode,
} from "../../command.ts";
import { noCurrentSnapshot, storeIn } from "../../data-folder.ts";
import { NewFile } from "../../output/files.ts";
import { counted, formatCount, printable } from "../../output/format.ts";
import { Progress } from "../../output/progress.ts";
import { tableOf } from "../../output/show.ts";
import { DATA_DIR, NPI_COLUMN, OUT } from "../../settings/settings.ts";
import { openCurrent } from "./current-directory.ts";
import { RosterCheck } from "./roster-check.ts";

/** The verdicts in the summary. */
const IN_WORDS: Readonly<Record<Verdict, string>> = {
  active: "active",
  deactivated: "deactivated",
  not_found: "not in the registry",
  invalid_check_digit: "with a wrong check digit",
  malformed: "not 10 digits",
};

export const checkCommand = command({
  operands: operandsOf("FILE.csv"),
  summary:
    "Check the NPIs of a CSV file against the data folder, without a service or a key.",
  details: [
    "Prints how many rows have the NPI of an active provider, of a deactivated one, an unknown NPI, a typo, or none. With --out, also writes the rows with new columns: the verdict, suggestions for typos, the provider's main fields, and which of the file's names, addresses, and specialties differ from the registry.",
    'Ignores spaces, invisible characters, and what spreadsheets put around a number, as in ="1234567893". Also reads 1234567893.0, 123-456-7893, numbers with spaces inside, and the prefix 80840, and prints which lines have them. A first line such as sep=; says what separates the values. Rows with fewer cells than the header are checked too.',
    "The exit code is 0 if every row has the NPI of an active provider, and 3 if not.",
  ],
  options: { column: NPI_COLUMN, out: OUT, dataDir: DATA_DIR },
  run: (values, context, [file = ""]) => checkFile(file, values, context),
});

async function checkFile(
  file: string,
  {
    column,
    dataDir,
    out,
  }: { column: string; dataDir: string; out: string | null },
  context: Context,
): Promise<ExitCode> {
  if (out !== null && !/\.csv$/i.test(out))
    throw misuse("--out must end in .csv.");
  const store = storeIn(dataDir);
  const { dev, ino, size } = statSync(file);
  const old = out === null ? null : statSync(out, { throwIfNoEntry: false });
  if (old?.dev === dev && old.ino === ino)
    throw misuse("--out is the checked file: name another.");
  if (old?.isDirectory() === true)
    throw misuse("--out is a folder: name a file.");
  using data = openCurrent(store, "held");
  if (data === null) throw noCurrentSnapshot(store);
  const check = new RosterCheck(data, column, out !== null);
  await using target = out === null ? null : await NewFile.open(out);
  {
    using progress = new Progress(`Checking ${basename(file)}`, context);
    let bytes = 0;
    const input = createReadStream(file, { highWaterMark: 1 << 20 });
    for await (const chunk of input) {
      context.stop.throwIfAborted();
      bytes += chunk.length;
      refuseHeader(check.push(chunk));
      await target?.write(check.takeOutput());
      progress.update({ bytes, bytesTotal: size, rows: check.rows });
    }
  }
  refuseHeader(check.end());
  await target?.write(check.takeOutput());
  await target?.finish();
  printSummary(check, file, context);
  return check.counts.active === check.rows && check.leftOut.count === 0
    ? 0
    : 3;
}

function refuseHeader(problem: string | null): void {
  if (problem !== null) throw misuse(printable(problem));
}

function printSummary(
  check: RosterCheck,
  file: string,
  context: Context,
): void {
  context.out(`${printable(basename(file))}: ${counted(check.rows, "row")}.`);
  const columns = {
    ROWS: (verdict: Verdict) => formatCount(check.counts[verdict]),
    ARE: (verdict: Verdict) => IN_WORDS[verdict],
  };
  for (const line of tableOf(VERDICTS, columns)) context.out(line);
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
