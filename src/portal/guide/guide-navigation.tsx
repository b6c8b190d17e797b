import { PAGE_PATHS } from "../../site/page-paths.ts";
import { shownGuidePages, type GuidePage } from "../../site/guide-pages.ts";
import { useConfig } from "../api/config.ts";
import { ButtonLink } from "../components/button.tsx";
import { guidePath } from "./guide-search.ts";
import { GuideSearchField } from "./guide-matches.tsx";
import { SideList } from "./side-list.tsx";
import { Link } from "../shell/router.tsx";
import styles from "./reading.module.css";

const AUDIENCES = [
  { audience: "offices", title: "For office workers" },
  { audience: "developers", title: "For developers" },
  { audience: "operators", title: "For operators" },
  { audience: "deciders", title: "For decision-makers" },
] as const;

/** Lists the pages that this installation shows, by audience, in their order. */
export function useGuidePages() {
  const { guide } = useConfig();
  const shown = shownGuidePages(guide);
  return AUDIENCES.map(({ audience, title }) => ({
    audience,
    title,
    pages: shown.filter((page) => page.audience === audience),
  })).filter(({ pages }) => pages.length > 0);
}

/** Links all pages of the guide. */
export function GuideNavigation({ here }: { readonly here: string }) {
  return (
    <SideList
      title="Guide"
      className={styles.sidePages}
      head={<GuideSearchField />}
    >
      {useGuidePages().map(({ audience, pages, title }) => (
        <div key={audience}>
          <p className={styles.sideTitle}>{title}</p>
          <ul>
            {pages.map((page) => (
              <PageItem
                key={page.name}
                page={page}
                isHere={page.name === here}
              />
            ))}
            {audience === "developers" && (
              <li>
                <Link href={PAGE_PATHS.reference}>API reference</Link>
              </li>
            )}
          </ul>
        </div>
      ))}
    </SideList>
  );
}

function PageItem({
  isHere,
  page: { name, sections, title },
}: {
  readonly page: GuidePage;
  readonly isHere: boolean;
}) {
  const path = guidePath(name);
  return (
    <li>
      <Link href={path} aria-current={isHere ? "page" : undefined}>
        {title}
      </Link>
      {sections !== undefined && (
        <ul>
          {sections.map((section) => (
            <li key={section.id}>
              <Link href={`${path}#${section.id}`}>{section.title}</Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** Links to the previous and the next page. */
export function GuidePager({ here }: { readonly here: string }) {
  const shown = useGuidePages().flatMap(({ pages }) => pages);
  const index = shown.findIndex(({ name }) => name === here);
  const before = shown[index - 1];
  const after = shown[index + 1];
  return (
    <nav aria-label="Previous and next page" className={styles.neighbours}>
      {before !== undefined && (
        <ButtonLink rel="prev" href={guidePath(before.name)}>
          <span aria-hidden="true">←</span> {before.title}
        </ButtonLink>
      )}
      {after !== undefined && (
        <ButtonLink
          rel="next"
          className={styles.isAfter}
          href={guidePath(after.name)}
        >
          {after.title} <span aria-hidden="true">→</span>
        </ButtonLink>
      )}
    </nav>
  );
}
