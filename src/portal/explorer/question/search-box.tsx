import { useEffect } from "react";
import { Button } from "../../components/button.tsx";
import { Combobox } from "../../components/combobox.tsx";
import { focusesHeading } from "../../shell/router.tsx";
import { isBlank, type ExplorerSearch } from "../explorer-search.ts";
import type { Sentence } from "./use-sentence.ts";
import styles from "./question.module.css";

const BOX = "question";
/** The service reads at most as many. */
const MAX_CHARACTERS = 200;
/** Devices on which a focused field does not open a keyboard over the page. */
const HAS_KEYBOARD = "(pointer: fine) and (width >= 48rem)";

/** Moves the focus to the box. */
export function focusBox(): void {
  document.getElementById(BOX)?.focus();
}

/** The one field: takes a sentence, and suggests what it may become. */
export function SearchBox({
  search,
  sentence: { isBusy, setText, submit, text },
}: {
  readonly search: ExplorerSearch;
  readonly sentence: Sentence;
}) {
  const isFirst = isBlank(search);
  useEffect(() => {
    if (isFirst && !focusesHeading() && matchMedia(HAS_KEYBOARD).matches)
      focusBox();
  }, [isFirst]);
  return (
    <form
      className={styles.box}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === "" && isFirst) focusBox();
        // The keyboard of a phone would stay over the results.
        else if (!matchMedia(HAS_KEYBOARD).matches)
          document.getElementById(BOX)?.blur();
        submit();
      }}
    >
      <Combobox
        id={BOX}
        label="Search providers"
        isLabelHidden
        placeholder={
          isFirst
            ? "Name, specialty, place, or NPI"
            : "Add a name, specialty, or place"
        }
        attributes={{ enterKeyHint: "search", maxLength: MAX_CHARACTERS }}
        value={text}
        onChange={setText}
        onChoose={({ text: chosen }) => setText(chosen)}
        options={[]}
      />
      <Button type="submit" look="primary" isBusy={isBusy}>
        <span className={styles.word}>Search</span>
        <svg className={styles.icon} viewBox="0 0 20 20" aria-hidden="true">
          <path d="M13.5 8.5a5 5 0 1 1-10 0 5 5 0 0 1 10 0Zm-1.5 3.5 5 5" />
        </svg>
      </Button>
    </form>
  );
}
