import { PAGE_PATHS } from "../../site/page-paths.ts";
import { GUIDE_PAGES, type GuidePage } from "../../site/guide-pages.ts";
import { ButtonLink } from "../components/button.tsx";
import { SideList } from "./side-list.tsx";
import { Link } from "../shell/router.tsx";
import styles from "./reading.module.css";

/** The audiences, in the order in which their pages are listed. */
export const AUDIENCES = [
  { audience: "developers", title: "For developers" },
  { audience: "operators", title: "For operators" },
] as const;

/** All pages of the guide. */
export function GuideNavigation({ here }: { readonly here: string }) {
  return (
    <SideList title="Guide" className={styles.sidePages}>
      {AUDIENCES.map(({ audience, title }) => (
        <div key={audience}>
          <p className={styles.sideTitle}>{title}</p>
          <ul>
            {GUIDE_PAGES.filter((page) => page.audience === audience).map(
              (page) => (
                <PageItem
                  key={page.name}
                  page={page}
                  isHere={page.name === here}
                />
              ),
            )}
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
  const index = GUIDE_PAGES.findIndex(({ name }) => name === here);
  const before = GUIDE_PAGES[index - 1];
  const after = GUIDE_PAGES[index + 1];
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

export function guidePath(name: string): string {
  return PAGE_PATHS["guide-page"].replace(":page", name);
}
