import { EXPECTED_REASONS } from "../../../contract/explorer/notes.ts";
import { checkNpi, npiAsTyped } from "../../../registry/npi.ts";
import { Link } from "../../shell/router.tsx";
import { AlternativeLinks } from "../did-you-mean.tsx";
import {
  readingOf,
  searchHref,
  type ExplorerSearch,
} from "../explorer-search.ts";
import { searchInWords } from "../search-text.ts";
import { otherReadings, type Reading } from "./use-sentence.ts";
import styles from "./question.module.css";

const EXPECTED: ReadonlySet<string> = new Set(Object.values(EXPECTED_REASONS));

/** Says how a sentence was read: what was left out and why, what is shown instead, and what else it may mean. */
export function ReadingNote({
  reading,
  search,
}: {
  readonly search: ExplorerSearch;
  readonly reading: Reading | null;
}) {
  return (
    <div role="status">
      {reading !== null && <Note reading={reading} search={search} />}
    </div>
  );
}

function Note({
  reading,
  search,
}: {
  readonly search: ExplorerSearch;
  readonly reading: Reading;
}) {
  const { interpretation, isReplaced, onlyHref, sentence } = reading;
  const typed = readingOf(interpretation);
  const dropped = interpretation.dropped.filter(
    ({ reason }) => typed === null || !EXPECTED.has(reason),
  );
  const mistyped = dropped.find(
    ({ text }) => checkNpi(npiAsTyped(text)) === "check_digit",
  );
  const others = otherReadings(reading);
  const isPlain = typed !== null && onlyHref === null && !isReplaced;
  if (isPlain && dropped.length === 0 && others.length === 0) return null;
  return (
    <div className={styles.note}>
      {typed === null && (
        <p>
          <strong>
            {mistyped === undefined
              ? "Nothing to search for"
              : `${mistyped.text} isn’t a valid NPI`}
          </strong>
        </p>
      )}
      {isReplaced && typed !== null && typed.kind !== "lookup" && (
        <p>
          No providers match “<bdi>{sentence}</bdi>”. Showing results for{" "}
          <strong>
            <bdi>{searchInWords(search, typed)}</bdi>
          </strong>
          . <Link href={searchHref(typed)}>Search as typed</Link>
        </p>
      )}
      {onlyHref !== null && (
        <p>
          Added “<bdi>{sentence}</bdi>” to your search.{" "}
          <Link href={onlyHref}>Search only for this</Link>
        </p>
      )}
      {dropped.length > 0 && (
        <p className="fine">
          {typed !== null && "Not used: "}
          {dropped.map(({ reason, text }, index) => (
            <span key={`${text} ${reason}`}>
              {index > 0 && " · "}“<bdi>{text}</bdi>”: {reason}
            </span>
          ))}
        </p>
      )}
      <AlternativeLinks alternatives={others} search={search} />
    </div>
  );
}
