import { useEffect, useId, useMemo, useState } from "react";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { PAGE_TITLES } from "../../site/page-titles.ts";
import { withQuery } from "../account/sign-in/next-path.ts";
import { useConfig } from "../api/config.ts";
import { useSession } from "../api/session.tsx";
import { CheckedList } from "../check/checked-list.tsx";
import { countedOf, numbersOf } from "../check/list-result.ts";
import {
  MAX_LIST_BYTES,
  MAX_LIST_ROWS,
  MAX_READ_ROWS,
  readList,
  type UserList,
} from "../check/read-list.ts";
import { Button } from "../components/button.tsx";
import { Alert } from "../components/elements.tsx";
import { ExplorerClosed, NoData } from "../components/empty-state.tsx";
import { FailureAlert } from "../components/failure-alert.tsx";
import { described, FieldFrame } from "../components/field.tsx";
import { counted, formatCount } from "../format.ts";
import { Link } from "../shell/router.tsx";
import { Page } from "../shell/page.tsx";
import styles from "../check/check.module.css";

/** Checks the NPIs of a pasted list or a CSV file, and compares its columns with the registry. */
export default function Check() {
  const { explorer, source } = useConfig();
  const session = useSession();
  const title = PAGE_TITLES.check;
  if (explorer === "closed" || source === null)
    return (
      <Page title={title}>
        {explorer === "closed" ? <ExplorerClosed /> : <NoData />}
      </Page>
    );
  const mustSignIn = explorer === "signed-in" && session.owner === null;
  return (
    <Page
      title={title}
      width={mustSignIn ? "text" : "wide"}
      lead="Paste NPIs, or a CSV file with a column “NPI”, to see which are valid, and what differs from the registry."
    >
      {!mustSignIn && <Form />}
      {mustSignIn && session.email === null && (
        <p>
          <SignIn /> to check a list.
        </p>
      )}
      {mustSignIn && session.failure !== null && (
        <FailureAlert failure={session.failure} onRetry={session.refresh} />
      )}
    </Page>
  );
}

function SignIn() {
  return (
    <Link href={withQuery(PAGE_PATHS["sign-in"], { next: PAGE_PATHS.check })}>
      Sign in
    </Link>
  );
}

interface ListFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A list that is checked. */
interface Started {
  readonly list: UserList;
  readonly name: string;
  /** Differs for each list. */
  readonly number: number;
}

function Form() {
  const { sign_up: hasSignUp } = useConfig();
  const isSignedIn = typeof useSession().email === "string";
  const most = MAX_LIST_ROWS[isSignedIn ? "account" : "visitor"];
  const [text, setText] = useState("");
  const [file, setFile] = useState<ListFile | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [started, setStarted] = useState<Started | null>(null);
  const [isOver, setOver] = useState(false);
  const textId = useId();
  const fileId = useId();
  useEffect(() => {
    // A file that is dropped next to the field would replace the page.
    const keep = (event: DragEvent) => event.preventDefault();
    addEventListener("dragover", keep);
    addEventListener("drop", keep);
    return () => {
      removeEventListener("dragover", keep);
      removeEventListener("drop", keep);
    };
  }, []);
  const read = useMemo(() => {
    if (file !== null) return readList(file.bytes);
    return text.trim() === "" ? null : readList(new TextEncoder().encode(text));
  }, [file, text]);

  async function take(chosen: File | undefined): Promise<void> {
    if (chosen === undefined) return;
    setProblem(null);
    if (chosen.size > MAX_LIST_BYTES) {
      setFile(null);
      setProblem(
        `${chosen.name} is larger than ${MAX_LIST_BYTES / 1_000_000} MB: check parts of it.`,
      );
      return;
    }
    try {
      const bytes = new Uint8Array(await chosen.arrayBuffer());
      setFile({ name: chosen.name, bytes });
      setText("");
    } catch {
      setProblem(`${chosen.name} can’t be read.`);
    }
  }

  function check(): void {
    if (read === null)
      return setProblem(problem ?? "Paste NPIs or choose a file first.");
    if (typeof read === "string") return setProblem(read);
    if (read.rows.length > most)
      return setProblem(
        `The list has ${rowsText(read)}, and the most is ${formatCount(most)}: check parts of it.`,
      );
    setProblem(null);
    const name = file?.name.replace(/\.\w+$/, "") ?? "list";
    setStarted({ list: read, name, number: (started?.number ?? 0) + 1 });
  }

  return (
    <>
      <div
        className={isOver ? `${styles.drop} ${styles.isOver}` : styles.drop}
        onDragOver={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          setOver(false);
          void take(event.dataTransfer.files[0]);
        }}
      >
        <FieldFrame
          id={textId}
          label="NPIs or CSV"
          hint="Columns such as Last name, First name, Organization, City, State, ZIP, and Specialty are compared."
        >
          <textarea
            {...described(textId, true)}
            className="input"
            rows={6}
            spellCheck={false}
            value={text}
            onChange={({ target }) => {
              setText(target.value);
              setFile(null);
              setProblem(null);
            }}
          />
        </FieldFrame>
        <FieldFrame
          id={fileId}
          label="Or a CSV file"
          hint="Choose it, or drop it here."
        >
          <div className={styles.file}>
            <input
              {...described(fileId, true)}
              type="file"
              accept=".csv,.txt,.tsv,text/csv"
              onChange={({ target }) => {
                void take(target.files?.[0]).then(() => (target.value = ""));
              }}
            />
          </div>
        </FieldFrame>
        <p role="status">
          <ListNote
            name={file?.name ?? null}
            list={typeof read === "object" ? read : null}
          />
        </p>
        {problem !== null && <Alert kind="problem" title={problem} />}
        <Button look="primary" onClick={check}>
          Check
        </Button>
      </div>
      <p className="fine">
        At most {formatCount(most)} rows
        {isSignedIn ? "." : " without an account."}{" "}
        {!isSignedIn && hasSignUp && (
          <>
            <SignIn /> to check {formatCount(MAX_LIST_ROWS.account)}, if your
            plan has enough requests.
          </>
        )}
      </p>
      {started !== null && (
        <CheckedList
          key={started.number}
          list={started.list}
          name={started.name}
        />
      )}
    </>
  );
}

/** Says what is read, and what checking it counts as. */
function ListNote({
  list,
  name,
}: {
  readonly list: UserList | null;
  readonly name: string | null;
}) {
  const isSignedIn = typeof useSession().email === "string";
  const requests = useMemo(
    () => (list === null ? 0 : countedOf(numbersOf(list))),
    [list],
  );
  return (
    <>
      {name !== null && <bdi>{name}: </bdi>}
      {list !== null && `${rowsText(list)}.`}
      {list !== null &&
        isSignedIn &&
        ` Checking counts as ${counted(requests, "request")} of this month’s quota.`}
    </>
  );
}

/** Writes how many rows a list has, as far as it is read. */
function rowsText({ rows: { length } }: UserList): string {
  return length < MAX_READ_ROWS
    ? counted(length, "row")
    : `${formatCount(MAX_LIST_ROWS.account)}+ rows`;
}
