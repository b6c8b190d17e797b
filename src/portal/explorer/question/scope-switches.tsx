import {
  FILTERS,
  filtersOf,
  isScope,
  type ScopeName,
} from "../../../contract/filters.ts";
import { useConfig } from "../../api/config.ts";
import type { ExplorerSearch } from "../explorer-search.ts";
import styles from "./question.module.css";

/** Widens a search beyond primary names, specialties and locations, if the installation has that data. */
export function ScopeSwitches({
  onChoose,
  search: { kind, parameters },
}: {
  readonly search: ExplorerSearch;
  readonly onChoose: (name: ScopeName, value: "any" | "") => void;
}) {
  const { scopes } = useConfig();
  const offered = filtersOf(kind)
    .filter(isScope)
    .filter((name) => scopes.includes(name));
  if (offered.length === 0) return null;
  return (
    <fieldset className={styles.scopes}>
      <legend>Also match</legend>
      {offered.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={parameters.get(name) === "any"}
            onChange={({ target }) =>
              onChoose(name, target.checked ? "any" : "")
            }
          />
          {FILTERS[name].any.label}
        </label>
      ))}
    </fieldset>
  );
}
