import { providerName, providerCount } from "../format.ts";
import type { MapRow } from "../../contract/explorer/map.ts";
import { searchHref, toKind, type ExplorerSearch } from "./explorer-search.ts";
import { Link } from "../shell/router.tsx";
import type { Entry } from "./entry-list.tsx";
import styles from "../map/map.module.css";

/** The providers of the list's page at one point of the map. */
export function PlaceCard({
  entries,
  more,
  title,
}: {
  readonly title: string;
  readonly entries: readonly Entry[];
  /** Links to all providers at the point, if the page doesn't have all of them. */
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

/** The providers at the center of one ZIP, or of several. */
export function ZipCard({
  entries,
  search,
  rows,
}: {
  /** Only those of the list's page. */
  readonly entries: readonly Entry[];
  readonly search: ExplorerSearch;
  readonly rows: readonly MapRow[];
}) {
  const zips = rows.map(([zip]) => zip);
  const total = rows.reduce((sum, [, , , count]) => sum + count, 0);
  // A search by ZIP matches primary locations only.
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
