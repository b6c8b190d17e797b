import type { Address } from "../../contract/details.ts";
import type { ResultNotes } from "../../contract/explorer/notes.ts";
import type { NearbyEntry } from "../../contract/provider.ts";
import { naturalCase } from "../../text/natural-case.ts";
import { placeText } from "../format.ts";
import { Marked, MarkedName } from "./marked.tsx";
import type { Matcher } from "./matches.ts";
import styles from "./explorer.module.css";

/** What a search found outside the entry: another name, another specialty, a secondary location. */
export function WhyFound({
  matched,
  matcher,
  notes,
}: {
  /** The location where a search by distance found the provider, if it looked at all of them. */
  readonly matched: NearbyEntry["matched_location"];
  readonly notes: ResultNotes | undefined;
  readonly matcher: Matcher;
}) {
  const names = notes?.other_names ?? [];
  const specialties = notes?.other_specialties ?? [];
  const isElsewhere = matched?.kind === "secondary";
  if (names.length + specialties.length === 0 && !isElsewhere) return null;
  return (
    <ul className={styles.entryWhy}>
      {names.map(({ first, last, organization_name: organization }) => (
        <li key={[organization, last, first].join("|")}>
          Other name:{" "}
          <bdi>
            <MarkedName
              name={{ organization, first, last }}
              matcher={matcher}
            />
          </bdi>
        </li>
      ))}
      {specialties.map(({ code, description }) => (
        <li key={code}>
          Also:{" "}
          <Marked
            text={description ?? code}
            ranges={matcher.inSpecialty(description ?? "")}
          />
        </li>
      ))}
      {isElsewhere && (
        <li>
          Also practices at <bdi>{locationText(matched.address)}</bdi>
        </li>
      )}
    </ul>
  );
}

/** `12 Main St, Springfield, IL` */
function locationText({
  address_1: street,
  city,
  postal_code: code,
  state,
}: Address): string {
  const place = placeText(city, state) || (code ?? "");
  return (
    [street && naturalCase(street, "address"), place]
      .filter(Boolean)
      .join(", ") || "an unknown address"
  );
}
