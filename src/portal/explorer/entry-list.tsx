import type { NearbyEntry, SearchEntry } from "../../contract/provider.ts";
import { StatusBadge } from "../components/status-badge.tsx";
import { placeText, providerName } from "../format.ts";
import { Link } from "../shell/router.tsx";
import styles from "./explorer.module.css";

export type Entry = SearchEntry &
  Partial<Pick<NearbyEntry, "distance_miles" | "matched_location">>;

export function EntryList({
  entries,
  first,
}: {
  readonly entries: readonly Entry[];
  /** The position of the first entry among all results, from 1. */
  readonly first: number;
}) {
  return (
    <ol className={styles.entries} start={first}>
      {entries.map((entry) => (
        <li key={entry.npi} className={styles.entry}>
          <EntryText {...entry} />
        </li>
      ))}
    </ol>
  );
}

function EntryText(entry: Entry) {
  const {
    city,
    distance_miles: miles,
    matched_location: matched,
    name,
    npi,
    primary_taxonomy: taxonomy,
    state,
    status,
  } = entry;
  const place = placeText(city, state);
  return (
    <>
      <p className={styles.entryName}>
        <Link href={`/npi/${npi}`}>
          <bdi>{providerName(entry)}</bdi>
        </Link>
        {name?.credential && (
          <bdi className={styles.entryCredential}>{name.credential}</bdi>
        )}
      </p>
      <p className={styles.entryAside}>
        {miles !== undefined && <span>{miles.toFixed(1)} mi</span>}
        <StatusBadge status={status} />
      </p>
      <p className={styles.entrySpecialty}>
        {taxonomy === null
          ? "No specialty listed"
          : (taxonomy.description ?? taxonomy.code)}
      </p>
      <p className={styles.entryFacts}>
        {place !== "" && <bdi>{place}</bdi>}
        {matched?.kind === "secondary" && (
          <span>Matched location: {cityOf(matched.address)}</span>
        )}
        <span>
          NPI <span className="number-text">{npi}</span>
        </span>
      </p>
    </>
  );
}

function cityOf({
  city,
  postal_code: code,
  state,
}: NonNullable<Entry["matched_location"]>["address"]): string {
  return placeText(city, state) || (code ?? "unknown");
}
