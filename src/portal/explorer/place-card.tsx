import { nameOf } from "../format.ts";
import { Link } from "../shell/router.tsx";
import type { Entry } from "./entry-list.tsx";
import styles from "../map/map.module.css";

/** Who of the list's page is at a place of the map. */
export function PlaceCard({
  entries,
  more,
  title,
}: {
  readonly title: string;
  readonly entries: readonly Entry[];
  /** Lead to all who are there, where the page has not all of them. */
  readonly more?: readonly { readonly href: string; readonly text: string }[];
}) {
  return (
    <>
      <p className={styles.mapCardTitle}>{title}</p>
      <ul>
        {entries.map((entry) => (
          <li key={entry.npi}>
            <Link href={`/npi/${entry.npi}`}>
              <bdi>{nameOf(entry)}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      {more?.map(({ href, text }) => (
        <p key={href}>
          <Link href={href}>{text}</Link>
        </p>
      ))}
    </>
  );
}
