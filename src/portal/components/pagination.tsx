import { Link } from "../shell/router.tsx";
import { formatCount } from "../format.ts";
import styles from "./components.module.css";

/** Links to the previous and the next page. */
export function Pagination({
  hasNext,
  hrefOf,
  lastPage,
  onTurn,
  page,
}: {
  readonly page: number;
  readonly hasNext: boolean;
  /** Null if unknown. */
  readonly lastPage: number | null;
  readonly hrefOf: (page: number) => string;
  /** Called after the user has gone to another page. */
  readonly onTurn: () => void;
}) {
  if (page === 1 && !hasNext) return null;
  const before = Math.min(page - 1, lastPage ?? page - 1);
  return (
    <nav aria-label="Pages" className={styles.pagination}>
      {page > 1 && before >= 1 ? (
        <Link
          rel="prev"
          className="button button-plain"
          href={hrefOf(before)}
          onFollow={onTurn}
        >
          Previous
        </Link>
      ) : (
        <span className="button button-plain is-off">Previous</span>
      )}
      <span>
        Page {formatCount(page)}
        {lastPage !== null && ` of ${formatCount(lastPage)}`}
      </span>
      {hasNext ? (
        <Link
          rel="next"
          className="button button-plain"
          href={hrefOf(page + 1)}
          onFollow={onTurn}
        >
          Next
        </Link>
      ) : (
        <span className="button button-plain is-off">Next</span>
      )}
    </nav>
  );
}
