import { SORTS } from "../../contract/filters.ts";
import { Select } from "../components/field.tsx";
import { navigate } from "../shell/router.tsx";
import {
  pageHref,
  withChanges,
  type ExplorerSearch,
} from "./explorer-search.ts";
import styles from "./explorer.module.css";

const NAME_FILTERS = ["name", "first_name", "last_name", "organization"];

/** Orders the results. A choice sorts at once, and goes to the first page. */
export function SortSelect({ search }: { readonly search: ExplorerSearch }) {
  const { kind, parameters } = search;
  const [usual] = SORTS[kind];
  return (
    <div className={styles.sort}>
      <Select
        label="Sort by"
        value={parameters.get("sort") ?? usual}
        options={SORTS[kind].map((value) => ({
          value,
          text: value === "name" ? "Name" : usualText(search),
        }))}
        onChange={({ target }) =>
          navigate(pageHref(withChanges(search, { sort: target.value }), 1))
        }
      />
    </div>
  );
}

/** Names the usual order. */
function usualText({ kind, parameters }: ExplorerSearch): string {
  if (kind === "nearby") return "Distance";
  return NAME_FILTERS.some((name) => parameters.has(name))
    ? "Best match"
    : "Location";
}
