import type { MapRow } from "../../contract/explorer/map.ts";
import { useQuery } from "../api/use-query.ts";
import {
  formatCount,
  placeText,
  providerCount,
  providerName,
} from "../format.ts";
import { Link } from "../shell/router.tsx";
import type { Entry } from "./entry-list.tsx";
import {
  listPath,
  searchHref,
  toKind,
  type ExplorerSearch,
} from "./explorer-search.ts";
import styles from "../map/map.module.css";

/** How many providers a card names. */
const NAMED = 5;
const MAX_ZIPS = 8;

/** Who is at a point of the map: the first providers of its ZIP by name, or its ZIPs if it has several. */
export function ZipCard({
  entries,
  rows,
  search,
}: {
  /** Those of the list's page that are there. */
  readonly entries: readonly Entry[];
  readonly rows: readonly MapRow[];
  readonly search: ExplorerSearch;
}) {
  const [only] = rows;
  const zips = rows.map(([zip]) => zip);
  const total = rows.reduce((sum, [, , , count]) => sum + count, 0);
  // A search by ZIP matches primary locations only.
  const isListed = search.parameters.get("location_scope") !== "any";
  const first = useQuery<Entry[]>(
    isListed && rows.length === 1 && only !== undefined
      ? listPath(inZip(search, only[0], { limit: String(NAMED) }))
      : null,
  );
  const named = first.answer?.data ?? entries.slice(0, NAMED);
  const [sample] = first.answer?.data ?? [];
  return (
    <>
      <p className={styles.mapCardTitle}>
        {providerCount(total)} in ZIP {zips.slice(0, MAX_ZIPS).join(", ")}
        {zips.length > MAX_ZIPS && " …"}
      </p>
      {sample !== undefined && (
        <p className={styles.mapCardPlace}>
          <bdi>{placeText(sample.city, sample.state)}</bdi>
        </p>
      )}
      <ul>
        {named.map((entry) => (
          <li key={entry.npi}>
            <Link href={`/npi/${entry.npi}`}>
              <bdi>{providerName(entry)}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      {isListed &&
        rows.slice(0, MAX_ZIPS).map(([zip, , , count]) => (
          <p key={zip}>
            <Link href={searchHref(inZip(search, zip))}>
              {`See all in ${zip} (${formatCount(count)})`}
            </Link>
          </p>
        ))}
    </>
  );
}

/** The same search in one ZIP. */
function inZip(
  search: ExplorerSearch,
  zip: string,
  others: Readonly<Record<string, string>> = {},
): ExplorerSearch {
  return toKind("search", search, { zip, ...others });
}
