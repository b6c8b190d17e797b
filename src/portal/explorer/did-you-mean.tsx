import type { Interpretation } from "../../contract/interpret.ts";
import { placeText } from "../../site/provider-name.ts";
import { typedCase } from "../../text/natural-case.ts";
import { formatCount } from "../format.ts";
import { Link } from "../shell/router.tsx";
import {
  isComplete,
  readingOf,
  searchHref,
  withChanges,
  type ExplorerSearch,
} from "./explorer-search.ts";
import { kindInWords, searchInWords } from "./search-text.ts";
import styles from "./explorer.module.css";

type Alternatives = Interpretation["alternatives"];

/** Links other searches than one, with how many providers they find. */
export function AlternativeLinks({
  alternatives,
  search,
}: {
  readonly alternatives: Alternatives;
  readonly search: ExplorerSearch;
}) {
  const readings = alternatives.flatMap((each) => {
    const reading = readingOf(each);
    if (reading === null) return [];
    const placed =
      reading.kind === "lookup" ? reading : withPlaceOf(search, reading);
    return [{ reading: placed, total: each.total }];
  });
  const texts = [search, ...readings.map(({ reading }) => reading)].map(
    (each) => (each.kind === "lookup" ? "" : searchInWords(each, search)),
  );
  const isTwice = (text: string): boolean =>
    texts.indexOf(text) !== texts.lastIndexOf(text);
  const links = readings.map(({ reading, total }) => {
    // An NPI has one provider.
    if (reading.kind === "lookup")
      return {
        href: `/npi/${reading.npi}`,
        text: `NPI ${reading.npi}`,
        total: null,
      };
    const text = searchInWords(reading, search);
    return {
      href: searchHref(reading),
      text: isTwice(text) ? `${text} (${kindInWords(reading)})` : text,
      // Before its place is known, nothing is counted.
      total: isComplete(reading) ? total : null,
    };
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

/** Adds to an offer around the place of a search the name of that place, which is no parameter of the API. */
function withPlaceOf(
  { kind, parameters }: ExplorerSearch,
  offer: ExplorerSearch,
): ExplorerSearch {
  if (offer.kind === "search") return offer;
  const {
    city = "",
    place = "",
    state = "",
    zip,
  } = Object.fromEntries(parameters);
  if (kind === "search")
    return city === "" || zip !== undefined
      ? offer
      : withChanges(offer, {
          place: placeText(typedCase(city, "city"), state.toUpperCase()),
        });
  return zip === offer.parameters.get("zip")
    ? withChanges(offer, { place })
    : offer;
}
