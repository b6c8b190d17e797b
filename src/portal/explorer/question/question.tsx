import { useState, type ReactNode } from "react";
import { FailureAlert } from "../../components/failure-alert.tsx";
import { isBlank, type ExplorerSearch } from "../explorer-search.ts";
import { FacetSections } from "../facets.tsx";
import type { Results } from "../results-view.tsx";
import { Chips } from "./chips.tsx";
import { Filters } from "./filters.tsx";
import { ReadingNote } from "./reading-note.tsx";
import { SearchBox } from "./search-box.tsx";
import type { Sentence } from "./use-sentence.ts";
import styles from "./question.module.css";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { IS_PHONE, useMedia } from "../hooks.ts";

/** Shows the box, the filters that it became as chips, all filters as a form, and how the text was read. */
export function Question({
  results: { facets, failure, list, retry, total },
  search,
  sentence,
}: {
  readonly search: ExplorerSearch;
  readonly results: Results;
  readonly sentence: Sentence;
}) {
  const [isOpen, setOpen] = useState(false);
  const isPhone = useMedia(IS_PHONE);
  const close = () => setOpen(false);
  const form = {
    search,
    error: failure?.kind === "refused" ? failure.error : null,
    near: list?.meta.center?.zip ?? null,
    total: failure === null ? total : null,
    onSame: retry,
  };
  return (
    <search className={styles.question}>
      <div className={styles.row}>
        <SearchBox search={search} sentence={sentence} />
        {!isBlank(search) && (
          <FiltersButton isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
        )}
      </div>
      {sentence.failure !== null && (
        <FailureAlert failure={sentence.failure} onRetry={sentence.submit} />
      )}
      <Chips
        search={search}
        renderFields={(names, onDone) => (
          <Filters
            {...form}
            groups={[{ legend: null, names }]}
            edited={names[0] ?? null}
            onDone={onDone}
          />
        )}
      />
      {!isBlank(search) && (
        <FiltersPanel isOpen={isOpen} onClose={close}>
          {isPhone && (
            <FacetSections facets={facets} onFollow={close} search={search} />
          )}
          <Filters {...form} edited={null} onDone={close} />
        </FiltersPanel>
      )}
      <ReadingNote search={search} reading={sentence.reading} />
    </search>
  );
}

const PANEL = "filters";
const BUTTON = "filters-button";

/** Opens and closes the panel. */
function FiltersButton({
  isOpen,
  onToggle,
}: {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) {
  const isPhone = useMedia(IS_PHONE);
  return (
    <Button
      id={BUTTON}
      onClick={onToggle}
      {...(isPhone
        ? { "aria-haspopup": "dialog" }
        : { "aria-expanded": isOpen, "aria-controls": PANEL })}
    >
      <span className="hidden-on-phones">Filters</span>
      <svg className={styles.icon} viewBox="0 0 20 20" aria-hidden="true">
        <path d="M3 6h9m4 0h1M3 14h1m4 0h9M14 4v4M6 12v4" />
      </svg>
    </Button>
  );
}

/** Shows the form of all filters: below its button, or on phones in a sheet. */
function FiltersPanel({
  children,
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const isPhone = useMedia(IS_PHONE);
  return isPhone ? (
    <Dialog title="Filters" isSheet isOpen={isOpen} onClose={onClose}>
      {children}
    </Dialog>
  ) : (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape in any of its fields
    <div
      id={PANEL}
      className={styles.panel}
      hidden={!isOpen}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        onClose();
        document.getElementById(BUTTON)?.focus();
      }}
    >
      {isOpen && children}
    </div>
  );
}
