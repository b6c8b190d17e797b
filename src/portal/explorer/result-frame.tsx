import { useState, type ReactNode } from "react";
import type { ApiFailure } from "../api/api.ts";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { Button, ButtonLink } from "../components/button.tsx";
import { CodeTabs } from "../components/code-tabs.tsx";
import { Popup } from "../components/popup.tsx";
import type { Facet } from "../../contract/explorer/map.ts";
import { Dialog } from "../components/dialog.tsx";
import { FailureAlert } from "../components/failure-alert.tsx";
import { Skeleton } from "../components/elements.tsx";
import { DownloadDialog } from "./download-dialog.tsx";
import { sampleRequest, type ExplorerSearch } from "./explorer-search.ts";
import { FacetMenus } from "./facets.tsx";
import { IS_PHONE, IS_WIDE, useMedia } from "./hooks.ts";
import { SortSelect } from "./sort-select.tsx";
import styles from "./explorer.module.css";

const RESULTS = "results";

/** Moves the focus to the top of the results. */
export function goToResults(): void {
  const results = document.getElementById(RESULTS);
  if (results === null) return;
  results.focus({ preventScroll: true });
  if (results.getBoundingClientRect().top < 0) results.scrollIntoView();
}

const VIEWS = ["list", "map"] as const;
type View = (typeof VIEWS)[number];
const VIEW_NAMES: Readonly<Record<View, string>> = { list: "List", map: "Map" };

/** The last view of a narrow window, so that users who come back from a provider find the map again. */
let lastView: View = "list";

/** Shows the list and the map of a search, or in a narrow window one of them: loading, failed or loaded. */
export function ResultFrame({
  children,
  facets,
  failure,
  isLoading,
  map,
  onRetry,
  search,
  summary,
  total,
}: {
  readonly search: ExplorerSearch;
  /** The number of results in words; null while they load. */
  readonly summary: string | null;
  /** The number of results of a download; null while unknown, 0 if there is nothing to download. */
  readonly total: number | null;
  readonly failure: ApiFailure | null;
  /** True if the results of the previous search are still shown. */
  readonly isLoading: boolean;
  readonly onRetry: () => void;
  readonly facets: readonly Facet[];
  /** The list; null before the first answer. */
  readonly children: ReactNode;
  /** Null if there is nothing to show on it. */
  readonly map: ReactNode;
}) {
  const [isRequestShown, setRequestShown] = useState(false);
  const [isDownloadShown, setDownloadShown] = useState(false);
  const [isMapHidden, setMapHidden] = useState(false);
  const [view, setView] = useState(lastView);
  const isWide = useMedia(IS_WIDE);
  const isPhone = useMedia(IS_PHONE);
  const hasResults = map !== null;
  const hasMap = hasResults && (isWide ? !isMapHidden : view === "map");
  const hasList = isWide || !hasMap;
  return (
    <div
      className={hasMap ? `${styles.results} ${styles.hasMap}` : styles.results}
    >
      <div className={styles.resultsBar}>
        <p role="status">{summary ?? (failure === null && "Searching…")}</p>
        {!isPhone && <FacetMenus facets={facets} search={search} />}
        <div className={styles.resultsTools}>
          {hasResults && !isWide && (
            <fieldset className={styles.views}>
              <legend className="visually-hidden">Show results as</legend>
              {VIEWS.map((each) => (
                <label key={each}>
                  <input
                    type="radio"
                    name="view"
                    className="visually-hidden"
                    checked={view === each}
                    onChange={() => {
                      lastView = each;
                      setView(each);
                    }}
                  />
                  {VIEW_NAMES[each]}
                </label>
              ))}
            </fieldset>
          )}
          {hasResults && !isPhone && <SortSelect search={search} />}
          <Popup
            className="button button-quiet"
            label={
              <>
                <span className="visually-hidden">More</span>
                <svg className={styles.more} viewBox="0 0 20 20" aria-hidden>
                  <circle cx="4" cy="10" r="1.75" />
                  <circle cx="10" cy="10" r="1.75" />
                  <circle cx="16" cy="10" r="1.75" />
                </svg>
              </>
            }
          >
            {(close) => (
              <div className={styles.menu}>
                {hasResults && isPhone && <SortSelect search={search} />}
                {total !== 0 && (
                  <Button
                    look="quiet"
                    isInactive={isLoading}
                    onClick={() => {
                      close();
                      setDownloadShown(true);
                    }}
                  >
                    Download these results
                  </Button>
                )}
                <ButtonLink look="quiet" href={PAGE_PATHS.check}>
                  Check a list
                </ButtonLink>
                <Button
                  look="quiet"
                  onClick={() => {
                    close();
                    setRequestShown(true);
                  }}
                >
                  API request
                </Button>
                {hasResults && isWide && (
                  <Button
                    look="quiet"
                    onClick={() => {
                      close();
                      setMapHidden(!isMapHidden);
                    }}
                  >
                    {isMapHidden ? "Show map" : "Hide map"}
                  </Button>
                )}
              </div>
            )}
          </Popup>
        </div>
      </div>
      <section
        id={RESULTS}
        className={styles.resultsList}
        aria-label="Results"
        aria-busy={isLoading}
        tabIndex={-1}
      >
        {failure !== null && (
          <FailureAlert failure={failure} onRetry={onRetry} />
        )}
        {hasList && (children ?? (failure === null && <Skeleton lines={18} />))}
      </section>
      {hasMap && <div className={styles.resultsMap}>{map}</div>}
      <DownloadDialog
        search={search}
        total={total}
        isOpen={isDownloadShown}
        onClose={() => setDownloadShown(false)}
      />
      <Dialog
        title="API request for this page"
        isOpen={isRequestShown}
        onClose={() => setRequestShown(false)}
      >
        <CodeTabs request={sampleRequest(search)} />
        {search.parameters.has("specialty") && (
          <p className="fine">
            With <code>specialty_scope=common</code>, <code>specialty</code>{" "}
            also takes everyday words, such as cardiologist.
          </p>
        )}
        <Button onClick={() => setRequestShown(false)}>Close</Button>
      </Dialog>
    </div>
  );
}
