import { PAGE_PATHS } from "../../site/page-paths.ts";
import { useConfig } from "../api/config.ts";
import { ButtonLink } from "../components/button.tsx";
import { formatDay, providerCount } from "../format.ts";
import { Link } from "../shell/router.tsx";
import { ALL_HREF, readingOf, searchHref } from "./explorer-search.ts";
import styles from "./explorer.module.css";

/** Shows examples and what the data is, below the box before anything is asked. */
export function FirstScreen() {
  const { data_date: dataDate, examples, providers } = useConfig();
  return (
    <div className={styles.first}>
      {examples.length > 0 && (
        <div className={styles.examples}>
          <p id="examples">For example</p>
          <ul aria-labelledby="examples">
            {examples.map(({ filters, operation, text }) => (
              <li key={text}>
                <Link href={hrefOf({ filters, operation })}>{text}</Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      {providers !== null && (
        <p className={styles.holdings}>
          {providerCount(providers)}
          {dataDate !== null && `, as of ${formatDay(dataDate)}`}.{" "}
          <Link href={ALL_HREF}>Browse all</Link>
        </p>
      )}
    </div>
  );
}

/** Replaces the box if only signed-in users may search. */
export function SignInToSearch() {
  const next = new URLSearchParams({ next: PAGE_PATHS.explorer });
  return (
    <>
      <p className="lead">Sign in to search this directory.</p>
      <p className={styles.waysIn}>
        <ButtonLink look="primary" href={`${PAGE_PATHS["sign-in"]}?${next}`}>
          Sign in
        </ButtonLink>
        <ButtonLink href={`${PAGE_PATHS["sign-up"]}?${next}`}>
          Sign up
        </ButtonLink>
      </p>
    </>
  );
}

function hrefOf(example: Parameters<typeof readingOf>[0]): string {
  const reading = readingOf(example);
  if (reading === null) return "/";
  return reading.kind === "lookup"
    ? `/npi/${reading.npi}`
    : searchHref(reading);
}
