import type { Facet } from "../../contract/explorer/map.ts";
import { FILTERS } from "../../contract/filters.ts";
import { Popup } from "../components/popup.tsx";
import { formatCount, placeText } from "../format.ts";
import { Link } from "../shell/router.tsx";
import {
  searchHref,
  withChanges,
  type ExplorerSearch,
} from "./explorer-search.ts";
import styles from "./explorer.module.css";

const VALUES: ReadonlyMap<string, string> = new Map([
  ["individual", "Individuals"],
  ["organization", "Organizations"],
  ["active", "Active"],
  ["deactivated", "Deactivated"],
]);

interface FacetsProps {
  readonly facets: readonly Facet[];
  readonly search: ExplorerSearch;
}

/** Shows a menu for each facet: its values, with how many providers each leaves. */
export function FacetMenus({ facets, search }: FacetsProps) {
  return facets.map(({ name, values }) => (
    <Popup
      key={name}
      className="button button-quiet has-arrow"
      label={FILTERS[name].label}
    >
      {(close) => <FacetLinks {...{ name, search, values }} onFollow={close} />}
    </Popup>
  ));
}

/** Shows the same for a sheet: the values of a facet open below its name. */
export function FacetSections({
  facets,
  onFollow,
  search,
}: FacetsProps & { readonly onFollow: () => void }) {
  return (
    <div className={styles.facetSections}>
      {facets.map(({ name, values }) => (
        <details key={name}>
          <summary>Narrow by {FILTERS[name].label.toLowerCase()}</summary>
          <FacetLinks {...{ name, onFollow, search, values }} />
        </details>
      ))}
    </div>
  );
}

function FacetLinks({
  name,
  onFollow,
  search,
  values,
}: Facet & {
  readonly search: ExplorerSearch;
  readonly onFollow: () => void;
}) {
  return (
    <ul className={styles.facet} aria-label={FILTERS[name].label}>
      {values.map(({ filters, text, total }) => (
        <li key={text}>
          <Link
            href={searchHref(narrowedTo(search, filters))}
            onFollow={onFollow}
          >
            <bdi>
              {filters.city === undefined
                ? (VALUES.get(text) ?? text)
                : placeText(filters.city, filters.state ?? null)}
            </bdi>
            <span className="muted">{formatCount(total)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Adds filters to a search. A taxonomy replaces the words that found it. */
function narrowedTo(
  search: ExplorerSearch,
  filters: Facet["values"][number]["filters"],
): ExplorerSearch {
  const words =
    filters.taxonomy === undefined
      ? {}
      : { specialty: "", specialty_scope: "" };
  return withChanges(search, { ...words, ...filters });
}
