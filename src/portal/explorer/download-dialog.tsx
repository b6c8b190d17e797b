import { useEffect, useRef, useState } from "react";
import { answersOfRows, MAX_DOWNLOAD_ROWS } from "../../contract/operation.ts";
import {
  COLUMN_SETS,
  type ColumnSet,
} from "../../contract/explorer/column-sets.ts";
import type { DetailPart } from "../../contract/detail-parts.ts";
import {
  DOWNLOAD_FORMATS,
  rowFormatOf,
  type DownloadFormat,
} from "../../contract/row-formats.ts";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { withQuery } from "../account/sign-in/next-path.ts";
import { fetchFile, type ApiFailure } from "../api/api.ts";
import { saveFile } from "../api/save-file.ts";
import { useConfig } from "../api/config.ts";
import { useSession } from "../api/session.tsx";
import { Alert } from "../components/elements.tsx";
import { Button } from "../components/button.tsx";
import { Dialog, DialogButtons } from "../components/dialog.tsx";
import { FailureAlert } from "../components/failure-alert.tsx";
import { Select } from "../components/field.tsx";
import { counted, formatCount, providerCount } from "../format.ts";
import { Link } from "../shell/router.tsx";
import {
  downloadPath,
  searchHref,
  type ExplorerSearch,
} from "./explorer-search.ts";

const FORMATS = DOWNLOAD_FORMATS.map(({ name, purpose, title }) => ({
  value: name,
  text: purpose === null ? title : `${title}, ${purpose}`,
}));

const SETS = COLUMN_SETS.map(({ name, title }) => ({
  value: name,
  text: title,
}));

type Progress =
  | { readonly step: "asking" | "loading" }
  | { readonly step: "saved"; readonly name: string }
  | { readonly step: "failed"; readonly failure: ApiFailure };

const ASKING: Progress = { step: "asking" };

/** Saves all results of a search as a file. */
export function DownloadDialog({
  isOpen,
  onClose,
  search,
  total,
}: {
  readonly search: ExplorerSearch;
  /** The number of results; null while unknown. */
  readonly total: number | null;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const [format, setFormat] = useState<DownloadFormat>("xlsx");
  const [set, setSet] = useState<ColumnSet>("calls");
  const [progress, setProgress] = useState<Progress>(ASKING);
  const { details } = useConfig();
  const { hasColumns } = rowFormatOf(format);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const isLoading = progress.step === "loading";
  const session = useSession();

  function close(): void {
    running.current?.abort();
    setProgress(ASKING);
    onClose();
  }

  async function download(): Promise<void> {
    running.current?.abort();
    const leaving = new AbortController();
    running.current = leaving;
    setProgress({ step: "loading" });
    const path = downloadPath(search, format, hasColumns ? set : null);
    const outcome = await fetchFile(path, leaving.signal).catch(() => null);
    if (outcome === null || leaving.signal.aborted) return;
    setProgress(
      outcome.ok
        ? saved(saveFile(outcome.file, outcome.name), outcome.name)
        : { step: "failed", failure: outcome.failure },
    );
    // If the session has ended, the file is a visitor's, and the note above says so then.
    if (typeof session.email === "string") session.refresh();
  }

  return (
    <Dialog title="Download these results" isOpen={isOpen} onClose={close}>
      <RowsNote search={search} total={total} />
      <Select
        label="File format"
        value={format}
        options={FORMATS}
        onChange={({ target }) => {
          const chosen = FORMATS.find(({ value }) => value === target.value);
          if (chosen === undefined || isLoading) return;
          setFormat(chosen.value);
          setProgress(ASKING);
        }}
      />
      {hasColumns && (
        <Select
          label="Columns"
          hint={columnsHint(set, details)}
          value={set}
          options={SETS}
          onChange={({ target }) => {
            const chosen = SETS.find(({ value }) => value === target.value);
            if (chosen === undefined || isLoading) return;
            setSet(chosen.value);
            setProgress(ASKING);
          }}
        />
      )}
      <p role="status">{isLoading && "Downloading…"}</p>
      {progress.step === "saved" && (
        <Alert kind="success" title={`Saved as ${progress.name}`} />
      )}
      {progress.step === "failed" && (
        <FailureAlert
          quotaTitle="Your plan doesn’t have enough requests left this month"
          failure={progress.failure}
          onRetry={() => void download()}
        />
      )}
      <DialogButtons>
        <Button onClick={close}>{isLoading ? "Cancel" : "Close"}</Button>
        <Button
          look="primary"
          isBusy={isLoading}
          onClick={() => void download()}
        >
          Download
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** Says what a set of columns has of what the installation stores. */
function columnsHint(set: ColumnSet, stored: readonly DetailPart[]): string {
  if (set === "all") return "Every column that this installation stores.";
  if (set === "mail")
    return stored.includes("mailing_address")
      ? "Name and mailing address."
      : "Name and practice address: this installation doesn’t store mailing addresses.";
  return stored.includes("identity")
    ? "Name, specialty, phone, fax, practice address, and status."
    : "Name, specialty, practice address, and status: this installation doesn’t store phone numbers.";
}

/** Says how many rows the file will have, what that counts as, and how to get more. */
function RowsNote({
  search,
  total,
}: {
  readonly search: ExplorerSearch;
  readonly total: number | null;
}) {
  const { sign_up: hasSignUp } = useConfig();
  const isSignedIn = typeof useSession().email === "string";
  const most = MAX_DOWNLOAD_ROWS[isSignedIn ? "account" : "visitor"];
  const isCut = total !== null && total > most;
  const rows = total === null ? null : Math.min(total, most);
  return (
    <>
      <p>
        {rows === null
          ? `The file will have a row for each provider, at most ${formatCount(most)}.`
          : isCut
            ? `The file will have the first ${formatCount(rows)} of ${providerCount(total)}, one per row: ${isSignedIn ? "a download has" : "without an account, a download has"} at most ${formatCount(most)} rows.`
            : `The file will have ${counted(rows, "row")}, one per provider.`}
        {isSignedIn &&
          rows !== null &&
          ` It counts as ${counted(answersOfRows(rows), "request")} of this month’s quota.`}
      </p>
      {isCut && (
        <p>
          {!isSignedIn && hasSignUp && (
            <>
              <Link
                href={withQuery(PAGE_PATHS["sign-in"], {
                  next: searchHref(search),
                })}
              >
                Sign in
              </Link>{" "}
              to download up to {formatCount(MAX_DOWNLOAD_ROWS.account)}.{" "}
            </>
          )}
          To get all of them, narrow the search and download parts, or use{" "}
          <Link href="/guide/http-api#get-v1providersexport">the API</Link>.
        </p>
      )}
    </>
  );
}

function saved(isSaved: boolean, name: string): Progress {
  return isSaved
    ? { step: "saved", name }
    : { step: "failed", failure: { kind: "broken" } };
}
