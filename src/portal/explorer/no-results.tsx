import type { LeftOut } from "../../contract/explorer/suggest.ts";
import { isFilter, isScope } from "../../contract/filters.ts";
import type { Interpretation } from "../../contract/interpret.ts";
import { guidePage } from "../../site/guide-pages.ts";
import { useConfig } from "../api/config.ts";
import { useQuery } from "../api/use-query.ts";
import { formatCount } from "../format.ts";
import { Link } from "../shell/router.tsx";
import { AlternativeLinks } from "./did-you-mean.tsx";
import {
  alternativesPath,
  searchHref,
  withoutParameters,
  type ExplorerSearch,
} from "./explorer-search.ts";
import {
  filterInWords,
  filterTexts,
  isPlace,
  placesInWords,
  type FilterText,
} from "./search-text.ts";
import { useTaxonomyName } from "./hooks.ts";
import styles from "./explorer.module.css";

const ADVICE = {
  search: "Try fewer words or filters, or just the first letters of a name.",
  nearby: "Try a larger distance or fewer filters.",
} as const;

/** Says that a search finds no one: what else it may mean, and the filters without which it finds providers. */
export function NoResults({
  hasAlternatives,
  search,
}: {
  readonly search: ExplorerSearch;
  /** True if the page already says what else may be meant. */
  readonly hasAlternatives: boolean;
}) {
  const { answer, isLoading } = useQuery<Interpretation["alternatives"]>(
    alternativesPath(search),
  );
  const { guide } = useConfig();
  const { data = [], without = [] } = isLoading ? {} : (answer ?? {});
  return (
    <div className={styles.nothing}>
      <p>
        {ADVICE[search.kind]}{" "}
        {guidePage("searching", guide) !== undefined && (
          <Link href="/guide/searching#if-nothing-is-found">How to search</Link>
        )}
      </p>
      <div role="status">
        {!hasAlternatives && (
          <AlternativeLinks alternatives={data} search={search} />
        )}
        {without.length > 0 && (
          <div className={styles.leftOut}>
            <p id="left-out">Search with fewer filters</p>
            <ul aria-labelledby="left-out">
              {without.map((each) => (
                <LeftOutLink
                  key={each.parameters.join()}
                  leftOut={each}
                  search={search}
                />
              ))}
            </ul>
          </div>
        )}
      </div>
    </div>
  );
}

/** Links `All providers matching “Smith, cardiologist” in Chicago, IL (1,204)`: what is found without some filters. */
function LeftOutLink({
  leftOut: { parameters, total },
  search,
}: {
  readonly leftOut: LeftOut;
  readonly search: ExplorerSearch;
}) {
  const rest = withoutParameters(search, parameters);
  const specialty = useTaxonomyName(rest.parameters.get("taxonomy") ?? null);
  const places: FilterText[] = [];
  const others: string[] = [];
  let near = "";
  for (const filter of filterTexts(rest)) {
    const [name = ""] = filter.names;
    if (filter.names.includes("radius")) near = ` ${filterInWords(filter)}`;
    else if (isPlace(filter)) places.push(filter);
    else if (name === "taxonomy") others.push(specialty ?? filter.value);
    else if (!isFilter(name) || !isScope(name))
      others.push(filterInWords(filter));
  }
  return (
    <li>
      <Link href={searchHref(rest)}>
        All providers
        {others.length > 0 && (
          <>
            {" "}
            matching “<bdi>{others.join(", ")}</bdi>”
          </>
        )}
        {places.length > 0 && (
          <>
            {" "}
            in <bdi>{placesInWords(places)}</bdi>
          </>
        )}
        {near}
      </Link>{" "}
      <span className="muted">({formatCount(total)})</span>
    </li>
  );
}
