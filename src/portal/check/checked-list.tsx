import { useEffect, useMemo, useState } from "react";
import type { BatchEntry } from "../../contract/answers.ts";
import { VERDICTS, type Verdict } from "../../contract/verdicts.ts";
import type { RosterDifference } from "../../registry/rosters/roster-differences.ts";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { naturalCase, type NameKind } from "../../text/natural-case.ts";
import type { ApiFailure } from "../api/api.ts";
import { saveFile } from "../api/save-file.ts";
import { useSession } from "../api/session.tsx";
import { Button } from "../components/button.tsx";
import { Alert, Tag } from "../components/elements.tsx";
import { FailureAlert } from "../components/failure-alert.tsx";
import { Checkbox } from "../components/field.tsx";
import { Table, type Column } from "../components/table.tsx";
import {
  counted,
  formatCount,
  formatDay,
  placeText,
  providerName,
} from "../format.ts";
import { publicPath } from "../public-path.ts";
import { checkNumbers } from "./check-numbers.ts";
import {
  checkedRows,
  hasProblem,
  numbersOf,
  resultCsv,
  VERDICT_NAMES,
  type CheckedRow,
} from "./list-result.ts";
import type { UserList } from "./read-list.ts";
import styles from "./check.module.css";

/** The rows that are shown first, and with each press of a button. */
const SHOWN_ROWS = 100;
/** The most characters that are shown of what is no NPI. */
const MAX_SHOWN_CHARACTERS = 40;
/** The lines of odd rows that are named. */
const NAMED_LINES = 20;

type Progress =
  | { readonly step: "checking" | "stopped" | "done" }
  | { readonly step: "waiting"; readonly seconds: number }
  | { readonly step: "failed"; readonly failure: ApiFailure };

const CHECKING: Progress = { step: "checking" };

/** Checks a list, and shows what the registry says of its rows. */
export function CheckedList({
  list,
  name,
}: {
  readonly list: UserList;
  /** The name of its file, without the ending. */
  readonly name: string;
}) {
  const numbers = useMemo(() => numbersOf(list), [list]);
  const [entries, setEntries] = useState<ReadonlyMap<string, BatchEntry>>(
    new Map(),
  );
  const [progress, setProgress] = useState<Progress>(CHECKING);
  const [onlyProblems, setOnlyProblems] = useState(false);
  const [shown, setShown] = useState(SHOWN_ROWS);
  const [isUnsaved, setUnsaved] = useState(false);
  const session = useSession();
  const isRunning = progress.step === "checking" || progress.step === "waiting";
  useEffect(() => {
    if (!isRunning) return undefined;
    const leaving = new AbortController();
    const open = numbers.filter((npi) => !entries.has(npi));
    checkNumbers(open, {
      signal: leaving.signal,
      onWait: (seconds) => setProgress({ step: "waiting", seconds }),
      onEntries(found) {
        setProgress(CHECKING);
        setEntries((before) => {
          const both = new Map(before);
          for (const entry of found) both.set(entry.npi, entry);
          return both;
        });
      },
    }).then(
      (failure) =>
        setProgress(
          failure === null ? { step: "done" } : { step: "failed", failure },
        ),
      () => undefined,
    );
    return () => leaving.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- What is checked meanwhile must not start it again.
  }, [isRunning, numbers]);
  const checked = useMemo(() => checkedRows(list, entries), [entries, list]);
  const found = checked.filter(
    (each) => each.verdict !== null && (!onlyProblems || hasProblem(each)),
  );

  function save(): void {
    const file = new Blob([resultCsv(list, checked)], { type: "text/csv" });
    setUnsaved(!saveFile(file, `${name}-checked.csv`));
  }

  return (
    <section aria-labelledby="checked" className={styles.checked}>
      <h2 id="checked">Result</h2>
      <p role="status">{progressText(progress, entries.size, numbers)}</p>
      {progress.step !== "done" && (
        <progress
          aria-label="Checked numbers"
          max={numbers.length}
          value={entries.size}
        />
      )}
      {progress.step === "failed" && (
        <FailureAlert
          quotaTitle="Your plan doesn’t have enough requests left this month"
          failure={progress.failure}
          onRetry={() => setProgress(CHECKING)}
        />
      )}
      <LinesNote
        lines={list.unreadable}
        what="can’t be read, and is not checked. A quote may be missing"
        many="can’t be read, and are not checked. A quote may be missing"
      />
      <LinesNote
        lines={list.ragged}
        what="has more or fewer values than the first line"
        many="have more or fewer values than the first line"
      />
      <Counts checked={checked} hasColumns={list.compared.length > 0} />
      <div className={styles.tools}>
        <Checkbox
          label="Only with problems"
          isChecked={onlyProblems}
          onChange={(isChecked) => {
            setOnlyProblems(isChecked);
            setShown(SHOWN_ROWS);
          }}
        />
        {isRunning && (
          <Button onClick={() => setProgress({ step: "stopped" })}>Stop</Button>
        )}
        {progress.step === "stopped" && (
          <Button onClick={() => setProgress(CHECKING)}>Continue</Button>
        )}
        <Button isInactive={isRunning} onClick={save}>
          Download
        </Button>
      </div>
      {isUnsaved && (
        <Alert kind="problem" title="The browser has no room for the file" />
      )}
      {found.length > 0 && (
        <Table
          caption="Checked rows"
          columns={columnsOf(list)}
          rows={found.slice(0, shown)}
          keyOf={({ row }) => list.rows.indexOf(row)}
        />
      )}
      {found.length === 0 && progress.step === "done" && (
        <p>No row has a problem.</p>
      )}
      {found.length > shown && (
        <Button onClick={() => setShown(shown + SHOWN_ROWS)}>
          Show more of {counted(found.length, "row")}
        </Button>
      )}
      {session.hasEnded && (
        <p>Your session has ended. Download the result before you sign in.</p>
      )}
    </section>
  );
}

function progressText(
  progress: Progress,
  done: number,
  { length }: readonly string[],
): string {
  const so = `${formatCount(done)} of ${counted(length, "number")}`;
  switch (progress.step) {
    case "checking":
      return `Checked ${so}…`;
    case "waiting":
      return `Checked ${so}. Too many requests: continues in ${counted(progress.seconds, "second")}.`;
    case "done":
      return `Checked ${counted(length, "number")}.`;
    default:
      return `Stopped after ${so}.`;
  }
}

/** Names the lines of odd rows. */
function LinesNote({
  lines,
  many,
  what,
}: {
  readonly lines: readonly number[];
  /** The end of the sentence about one, and about several. */
  readonly what: string;
  readonly many: string;
}) {
  if (lines.length === 0) return null;
  const named = lines.slice(0, NAMED_LINES).map(formatCount).join(", ");
  const more =
    lines.length > NAMED_LINES ? ` and ${lines.length - NAMED_LINES} more` : "";
  return (
    <Alert
      kind="warning"
      title={
        lines.length === 1
          ? `Line ${named} ${what}.`
          : `Lines ${named}${more} ${many}.`
      }
    />
  );
}

/** Shows how many rows have each verdict, and how many differ. */
function Counts({
  checked,
  hasColumns,
}: {
  readonly checked: readonly CheckedRow[];
  readonly hasColumns: boolean;
}) {
  const differing = checked.filter((each) => each.differences.length > 0);
  const counts = [
    ...VERDICTS.map((verdict) => ({
      term: VERDICT_NAMES[verdict],
      count: checked.filter((each) => each.verdict === verdict).length,
    })).filter(({ count }) => count > 0),
    ...(hasColumns
      ? [{ term: "Differ from the registry", count: differing.length }]
      : []),
  ];
  return (
    <dl className={styles.counts}>
      {counts.map(({ count, term }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

function columnsOf(list: UserList): Column<CheckedRow>[] {
  return [
    { title: "Line", isNumber: true, cell: ({ row }) => row.line },
    {
      title: "NPI",
      cell: ({ entry, row }) =>
        entry?.provider ? (
          <RecordLink npi={row.npi} />
        ) : (
          <bdi>{shortened(row.npi)}</bdi>
        ),
    },
    { title: "Verdict", cell: (checked) => <VerdictCell checked={checked} /> },
    {
      title: "Provider",
      cell: ({ entry }) =>
        entry?.provider && <bdi>{providerName(entry.provider)}</bdi>,
    },
    {
      title: "Specialty",
      cell: ({ entry }) => entry?.provider?.primary_taxonomy?.description,
    },
    {
      title: "City",
      cell: ({ entry }) => {
        const { city = null, state = null } =
          entry?.provider?.practice_address ?? {};
        return <bdi>{placeText(city, state)}</bdi>;
      },
    },
    ...(list.compared.length === 0
      ? []
      : [
          {
            title: "In the registry",
            cell: ({ differences }: CheckedRow) => (
              <Differences differences={differences} header={list.header} />
            ),
          },
        ]),
  ];
}

function shortened(text: string): string {
  return text.length <= MAX_SHOWN_CHARACTERS
    ? text
    : `${text.slice(0, MAX_SHOWN_CHARACTERS)}…`;
}

const LOOKS: Readonly<Record<Verdict, "good" | "warning">> = {
  active: "good",
  deactivated: "warning",
  not_found: "warning",
  invalid_check_digit: "warning",
  malformed: "warning",
};

/** Shows a verdict, since when it is so, and the NPIs that may be meant. */
function VerdictCell({
  checked: { entry, verdict },
}: {
  readonly checked: CheckedRow;
}) {
  if (verdict === null) return null;
  const day = entry?.provider?.deactivation_date ?? null;
  const replacement = entry?.replaced_by ?? null;
  const suggestions = entry?.suggestions ?? [];
  return (
    <>
      <Tag look={LOOKS[verdict]}>{VERDICT_NAMES[verdict]}</Tag>
      {day !== null && <p className="fine">{formatDay(day)}</p>}
      {replacement !== null && (
        <p className="fine">
          Replaced by <RecordLink npi={replacement} />
        </p>
      )}
      {suggestions.length > 0 && (
        <p className="fine">
          Did you mean{" "}
          {suggestions.map((npi, index) => (
            <span key={npi}>
              {index > 0 && ", "}
              <RecordLink npi={npi} />
            </span>
          ))}
          ?
        </p>
      )}
    </>
  );
}

/** Links a record in a new tab, because the result is only on this page. */
function RecordLink({ npi }: { readonly npi: string }) {
  return (
    <a
      href={publicPath(PAGE_PATHS.provider.replace(":npi", npi))}
      target="_blank"
      rel="noreferrer"
    >
      {npi}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}

const KINDS: Partial<Readonly<Record<string, NameKind>>> = {
  last_name: "person",
  first_name: "person",
  organization_name: "organization",
  city: "city",
};

/** Lists the columns that differ, each with the registry's value. */
function Differences({
  differences,
  header,
}: {
  readonly differences: readonly RosterDifference[];
  readonly header: readonly string[] | null;
}) {
  return (
    <ul className={styles.differences}>
      {differences.map(({ column: { field, index }, value }) => {
        const kind = KINDS[field];
        return (
          <li key={index}>
            <span className="muted">
              <bdi>{header?.[index]}</bdi>:
            </span>{" "}
            <bdi>{kind === undefined ? value : naturalCase(value, kind)}</bdi>
          </li>
        );
      })}
    </ul>
  );
}
