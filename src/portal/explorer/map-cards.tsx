import { providerName, providerCount } from "../format.ts";
import type { ZipRow } from "../map/map-points.ts";
import { searchHref, toKind, type ExplorerSearch } from "./explorer-search.ts";
import { Link } from "../shell/router.tsx";
import type { Entry } from "./entry-list.tsx";
import styles from "../map/map.module.css";

/** Who of the list's page is at a place of the map. */
export function PlaceCard({
  entries,
  more,
  title,
}: {
  readonly title: string;
  readonly entries: readonly Entry[];
  /** Lead to all who are there, where the page has not all of them. */
  readonly more?: readonly { readonly href: string; readonly text: string }[];
}) {
  return (
    <>
      <p className={styles.mapCardTitle}>{title}</p>
      <ul>
        {entries.map((entry) => (
          <li key={entry.npi}>
            <Link href={`/npi/${entry.npi}`}>
              <bdi>{providerName(entry)}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      {more?.map(({ href, text }) => (
        <p key={href}>
          <Link href={href}>{text}</Link>
        </p>
      ))}
    </>
  );
}

/** Who is at a place where one ZIP has its middle, or several have. */
export function ZipCard({
  entries,
  search,
  rows,
}: {
  /** Those of the list's page. */
  readonly entries: readonly Entry[];
  readonly search: ExplorerSearch;
  readonly rows: readonly ZipRow[];
}) {
  const zips = rows.map(([zip]) => zip);
  const total = rows.reduce((sum, [, , , count]) => sum + count, 0);
  // A search by ZIP looks at primary locations alone.
  const hasSecondary = search.parameters.get("location_scope") === "any";
  return (
    <PlaceCard
      title={`${providerCount(total)} in ZIP ${zips.join(", ")}`}
      entries={entries}
      more={(hasSecondary ? [] : zips).map((zip) => ({
        href: searchHref(toKind("search", search, { zip })),
        text: `List all in ZIP ${zip}`,
      }))}
    />
  );
}
