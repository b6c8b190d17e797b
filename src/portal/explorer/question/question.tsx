import { useState } from "react";
import { FailureAlert } from "../../components/failure-alert.tsx";
import { isBlank, type ExplorerSearch } from "../explorer-search.ts";
import type { Results } from "../use-results.ts";
import { Chips } from "./chips.tsx";
import { Filters } from "./filters.tsx";
import { FiltersButton, FiltersPanel } from "./filters-panel.tsx";
import { ReadingNote } from "./reading-note.tsx";
import { SearchBox } from "./search-box.tsx";
import type { Sentence } from "./use-sentence.ts";
import styles from "./question.module.css";

/** What is asked: the box, the filters that it became as chips, all filters as a form, and how the text was read. */
export function Question({
  results: { failure, list, retry, total },
  search,
  sentence,
}: {
  readonly search: ExplorerSearch;
  readonly results: Results;
  readonly sentence: Sentence;
}) {
  const [isOpen, setOpen] = useState(false);
  /** The parameter whose field takes the focus. */
  const [edited, setEdited] = useState<string | null>(null);
  return (
    <search className={styles.question}>
      <div className={styles.row}>
        <SearchBox search={search} sentence={sentence} />
        {!isBlank(search) && (
          <FiltersButton
            isOpen={isOpen}
            onToggle={() => {
              setEdited(null);
              setOpen(!isOpen);
            }}
          />
        )}
      </div>
      {sentence.failure !== null && (
        <FailureAlert failure={sentence.failure} onRetry={sentence.submit} />
      )}
      <Chips
        search={search}
        onEdit={(name) => {
          setEdited(name);
          setOpen(true);
        }}
      />
      {!isBlank(search) && (
        <FiltersPanel isOpen={isOpen} onClose={() => setOpen(false)}>
          <Filters
            search={search}
            error={failure?.kind === "refused" ? failure.error : null}
            near={list?.meta.center?.zip ?? null}
            edited={edited}
            total={failure === null ? total : null}
            onSame={retry}
            onDone={() => setOpen(false)}
          />
        </FiltersPanel>
      )}
      <ReadingNote search={search} reading={sentence.reading} />
    </search>
  );
}
