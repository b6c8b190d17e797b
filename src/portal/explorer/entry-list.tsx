import { Tag } from "../components/elements.tsx";
import type { ReactNode } from "react";
import type { ResultNotes } from "../../contract/explorer/notes.ts";
import type { NearbyEntry, SearchEntry } from "../../contract/provider.ts";
import { naturalCase } from "../../text/natural-case.ts";
import { formatDay, placeText } from "../format.ts";
import { phoneLink } from "../provider/fields.tsx";
import { Link } from "../shell/router.tsx";
import { Marked, MarkedName } from "./marked.tsx";
import { type Matcher, pointAt, useIsChosen } from "./matches.ts";
import styles from "./explorer.module.css";
import type { Address } from "../../contract/details.ts";

export type Entry = SearchEntry &
  Partial<Pick<NearbyEntry, "distance_miles" | "matched_location">>;

export function EntryList({
  entries,
  first,
  matcher,
  notes,
}: {
  readonly entries: readonly Entry[];
  /** The position of the first entry among all results, from 1. */
  readonly first: number;
  /** In the order of the entries. */
  readonly notes: readonly ResultNotes[];
  readonly matcher: Matcher;
}) {
  return (
    <ol className={styles.entries} start={first}>
      {entries.map((entry, index) => (
        <EntryItem key={entry.npi} npi={entry.npi}>
          <EntryText entry={entry} notes={notes[index]} matcher={matcher} />
        </EntryItem>
      ))}
    </ol>
  );
}

/** Shows an entry; pointing at it marks it on the map. */
function EntryItem({
  children,
  npi,
}: {
  readonly npi: string;
  readonly children: ReactNode;
}) {
  const isChosen = useIsChosen(npi);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only shows more
    <li
      className={isChosen ? `${styles.entry} ${styles.isChosen}` : styles.entry}
      onPointerEnter={() => pointAt(npi)}
      onPointerLeave={() => pointAt(null)}
      onFocus={() => pointAt(npi)}
      onBlur={() => pointAt(null)}
    >
      {children}
    </li>
  );
}

function EntryText({
  entry,
  matcher,
  notes,
}: {
  readonly entry: Entry;
  readonly notes: ResultNotes | undefined;
  readonly matcher: Matcher;
}) {
  const { city, distance_miles: miles, name, npi, state, status } = entry;
  const { organization_name: organization, primary_taxonomy: taxonomy } = entry;
  const isNamed =
    organization !== null ||
    [name?.first, name?.middle, name?.last].some(Boolean);
  const place = placeText(city, state);
  const specialty = taxonomy && (taxonomy.description ?? taxonomy.code);
  return (
    <>
      <p className={styles.entryName}>
        {entry.entity_type === "organization" && <OrganizationIcon />}
        <Link href={`/npi/${npi}`}>
          <bdi>
            {isNamed ? (
              <MarkedName
                name={{
                  organization,
                  first: name?.first ?? null,
                  last: name?.last ?? null,
                }}
                middle={name?.middle ?? null}
                matcher={matcher}
              />
            ) : (
              `NPI ${npi}`
            )}
          </bdi>
        </Link>
        {name?.credential && (
          <bdi className={styles.entryCredential}>{name.credential}</bdi>
        )}
      </p>
      <p className={styles.entryAside}>
        {miles !== undefined && <span>{miles.toFixed(1)} mi</span>}
        {status === "deactivated" && (
          <Tag look="warning">
            {notes?.deactivation_date
              ? `Deactivated ${formatDay(notes.deactivation_date)}`
              : "Deactivated"}
          </Tag>
        )}
      </p>
      <p className={styles.entrySpecialty}>
        {specialty === null ? (
          "No specialty listed"
        ) : (
          <Marked text={specialty} ranges={matcher.inSpecialty(specialty)} />
        )}
      </p>
      <p className={styles.entryFacts}>
        {notes?.phone && <bdi>{phoneLink(notes.phone)}</bdi>}
        {notes?.address_1 && (
          <bdi>{naturalCase(notes.address_1, "address")}</bdi>
        )}
        {place !== "" && <bdi>{place}</bdi>}
        <span>
          NPI <span className="number-text">{npi}</span>
        </span>
      </p>
      <WhyFound
        matched={entry.matched_location}
        notes={notes}
        matcher={matcher}
      />
    </>
  );
}

function OrganizationIcon() {
  return (
    <svg
      className={styles.entryIcon}
      role="img"
      aria-label="Organization"
      viewBox="0 0 16 16"
      width="16"
      height="16"
    >
      <path d="M3 14.5v-13h10v13M1.5 14.5h13M6 4.5h1M9 4.5h1M6 7.5h1M9 7.5h1M6.5 14.5v-4h3v4" />
    </svg>
  );
}

/** Lists the matches outside the entry: another name, another specialty, a secondary location. */
function WhyFound({
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

/** Writes `12 Main St, Springfield, IL`. */
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
