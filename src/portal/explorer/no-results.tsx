import type { LeftOut } from "../../contract/explorer/suggest.ts";
import type { Interpretation } from "../../contract/interpret.ts";
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
import { filterInWords, filterTexts } from "./search-text.ts";
import { useTaxonomyName } from "./use-taxonomy-name.ts";
import styles from "./explorer.module.css";

const ADVICE = {
  search: "Try fewer words or filters, or just the first letters of a name.",
  nearby: "Try a larger distance or fewer filters.",
} as const;

/** A search that finds no one: what else it may mean, and the filters without which it finds providers. */
export function NoResults({
  hasAlternatives,
  search,
}: {
  readonly search: ExplorerSearch;
  /** Whether the page already says what else may be meant. */
  readonly hasAlternatives: boolean;
}) {
  const { answer, isLoading } = useQuery<Interpretation["alternatives"]>(
    alternativesPath(search),
  );
  const { data = [], without = [] } = isLoading ? {} : (answer ?? {});
  return (
    <div className={styles.nothing}>
      <p>{ADVICE[search.kind]}</p>
      <div role="status">
        {!hasAlternatives && <AlternativeLinks alternatives={data} />}
        {without.length > 0 && (
          <div className={styles.leftOut}>
            <p id="left-out">Leave out a filter</p>
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

/** `Without “Chicago, IL” (1,204)` */
function LeftOutLink({
  leftOut: { parameters, total },
  search,
}: {
  readonly leftOut: LeftOut;
  readonly search: ExplorerSearch;
}) {
  const code = parameters.includes("taxonomy")
    ? (search.parameters.get("taxonomy") ?? null)
    : null;
  const specialty = useTaxonomyName(code);
  const text = filterTexts(search)
    .filter(({ names }) => names.some((name) => parameters.includes(name)))
    .map((filter) =>
      filter.names[0] === "taxonomy" && specialty !== null
        ? specialty
        : filterInWords(filter),
    )
    .join(", ");
  return (
    <li>
      <Link href={searchHref(withoutParameters(search, parameters))}>
        Without “<bdi>{text}</bdi>”
      </Link>{" "}
      <span className="muted">({formatCount(total)})</span>
    </li>
  );
}
