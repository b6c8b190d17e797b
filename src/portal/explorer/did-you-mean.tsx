import type { Interpretation } from "../../contract/interpret.ts";
import { formatCount } from "../format.ts";
import { Link } from "../shell/router.tsx";
import {
  isComplete,
  readingOf,
  searchHref,
  type ExplorerSearch,
} from "./explorer-search.ts";
import { filterTexts } from "./search-text.ts";
import styles from "./explorer.module.css";

type Alternatives = Interpretation["alternatives"];

/** Links other searches, with how many providers they find. */
export function AlternativeLinks({
  alternatives,
}: {
  readonly alternatives: Alternatives;
}) {
  const links = alternatives.flatMap(({ filters, operation, total }) => {
    const reading = readingOf({ filters, operation });
    if (reading === null) return [];
    return reading.kind === "lookup"
      ? [{ href: `/npi/${reading.npi}`, text: `NPI ${reading.npi}`, total }]
      : [
          {
            href: searchHref(reading),
            text: filtersText(reading),
            // Before its place is known, nothing is counted.
            total: isComplete(reading) ? total : null,
          },
        ];
  });
  if (links.length === 0) return null;
  return (
    <div className={styles.meant}>
      <p id="meant">Did you mean</p>
      <ul aria-labelledby="meant">
        {links.map(({ href, text, total }) => (
          <li key={href}>
            <Link href={href}>
              <bdi>{text}</bdi>
            </Link>
            {total !== null && (
              <span className="muted"> ({formatCount(total)})</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Writes `Name: dentist, City: Springfield`: the labels tell a name from a specialty. */
function filtersText(search: ExplorerSearch): string {
  return filterTexts(search)
    .map(({ label, value }) => `${label}: ${value}`)
    .join(", ");
}
