import { useConfig } from "../api/config.ts";
import { useSession } from "../api/session.tsx";
import { FailureAlert } from "../components/failure-alert.tsx";
import { parseSearch } from "./explorer-search.ts";
import { ReadingNote } from "./question/reading-note.tsx";
import { SearchBox } from "./question/search-box.tsx";
import { useSentence } from "./question/use-sentence.ts";
import styles from "./question/question.module.css";

const NOTHING_ASKED = parseSearch(new URLSearchParams());

/** Shows the explorer's box on another page: leads to results. Nothing for visitors who may not search. */
export function SearchElsewhere() {
  const { explorer, source } = useConfig();
  const { email } = useSession();
  const sentence = useSentence(NOTHING_ASKED, () => undefined);
  const mayExplore =
    explorer === "open" || (explorer === "signed-in" && email !== null);
  if (!mayExplore || source === null) return null;
  return (
    <search>
      <div className={styles.row}>
        <SearchBox search={NOTHING_ASKED} sentence={sentence} isElsewhere />
      </div>
      {sentence.failure !== null && (
        <FailureAlert failure={sentence.failure} onRetry={sentence.submit} />
      )}
      <ReadingNote search={NOTHING_ASKED} reading={sentence.reading} />
    </search>
  );
}
