import { FILTERS, filtersOf } from "../../contract/filters.ts";
import { useConfig } from "../api/config.ts";
import { Link } from "../shell/router.tsx";
import {
  searchHref,
  withChanges,
  type ExplorerSearch,
} from "./explorer-search.ts";
import styles from "./explorer.module.css";

/** Parameters without a field, each with a link that removes it, and a link that clears all. */
export function OtherParameters({
  search,
}: {
  readonly search: ExplorerSearch;
}) {
  const { kind, parameters } = search;
  const { scopes } = useConfig();
  const others = filtersOf(kind)
    .filter(
      (name) =>
        parameters.has(name) &&
        !FILTERS[name].fieldIn.some((form) => form === kind) &&
        !scopes.some((scope) => scope === name),
    )
    .map((name) => ({
      name,
      label: FILTERS[name].label,
      value: parameters.get(name) ?? "",
    }));
  const isFiltered = [...parameters.keys()].some(
    (name) => !["page", "limit", "radius"].includes(name),
  );
  if (!isFiltered) return null;
  return (
    <ul className={styles.filterChips}>
      {others.map(({ label, name, value }) => (
        <li key={name}>
          <Link
            className={styles.chip}
            href={searchHref(withChanges(search, { [name]: "" }))}
            aria-label={`Remove ${label}: ${value}`}
          >
            {label}: <bdi>{value}</bdi> <span aria-hidden="true">×</span>
          </Link>
        </li>
      ))}
      <li>
        <Link href={searchHref({ kind, parameters: new Map() })}>
          Clear all
        </Link>
      </li>
    </ul>
  );
}
