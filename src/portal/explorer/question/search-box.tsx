import { useEffect, useState } from "react";
import type {
  Completion,
  CompletionKind,
} from "../../../contract/explorer/suggest.ts";
import { useQuery } from "../../api/use-query.ts";
import { Button } from "../../components/button.tsx";
import { Combobox } from "../../components/combobox.tsx";
import { placeText, providerCount } from "../../format.ts";
import { focusesHeading } from "../../shell/router.tsx";
import {
  isBlank,
  isComplete,
  suggestPath,
  type ExplorerSearch,
  parseSearch,
} from "../explorer-search.ts";
import { MAX_CHARACTERS, type Sentence, useSentence } from "./use-sentence.ts";
import { useSettled } from "../hooks.ts";
import styles from "./question.module.css";
import { useConfig } from "../../api/config.ts";
import { useSession } from "../../api/session.tsx";
import { FailureAlert } from "../../components/failure-alert.tsx";
import { ReadingNote } from "./reading-note.tsx";

const BOX = "question";
/** With fewer, almost anything may be meant. */
const MIN_CHARACTERS = 2;
/** Devices on which a focused field does not open a keyboard over the page. */
const HAS_KEYBOARD = "(pointer: fine) and (width >= 48rem)";

const KINDS: Readonly<Record<CompletionKind, string>> = {
  npi: "Provider",
  name: "Name",
  organization: "Organization",
  specialty: "Specialty",
  place: "Place",
};

/** Moves the focus to the box. */
export function focusBox(): void {
  document.getElementById(BOX)?.focus();
}

/** Takes a sentence in the one field, and suggests what it may become. */
export function SearchBox({
  isElsewhere = false,
  search,
  sentence: { choose, isBusy, setText, submit, text },
}: {
  readonly search: ExplorerSearch;
  readonly sentence: Sentence;
  /** True if it is on a page about something else, and so doesn't take the focus. */
  readonly isElsewhere?: boolean;
}) {
  const isFirst = isBlank(search);
  const isPlaceMissing = !isComplete(search);
  const [isTyping, setTyping] = useState(false);
  const completions = useCompletions(isTyping ? text : "", search);
  useEffect(() => {
    const isAsked =
      isFirst || (isPlaceMissing && document.activeElement === document.body);
    if (
      isAsked &&
      !isElsewhere &&
      !focusesHeading() &&
      matchMedia(HAS_KEYBOARD).matches
    )
      focusBox();
  }, [isElsewhere, isFirst, isPlaceMissing]);
  return (
    <form
      className={styles.box}
      onSubmit={(event) => {
        event.preventDefault();
        setTyping(false);
        if (text.trim() === "" && isFirst) focusBox();
        else hideKeyboard();
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
            : isPlaceMissing
              ? "City or ZIP code"
              : "Add a name, specialty, or place"
        }
        attributes={{ enterKeyHint: "search", maxLength: MAX_CHARACTERS }}
        value={text}
        onChange={(typed) => {
          setTyping(true);
          setText(typed);
        }}
        onChoose={({ value }) => {
          const chosen = completions.find(({ text: all }) => all === value);
          setTyping(false);
          hideKeyboard();
          if (chosen !== undefined) choose(chosen);
        }}
        options={completions.map((completion) => ({
          value: completion.text,
          text: completion.text,
          note: noteOf(completion, isPlaceMissing),
        }))}
      />
      <Button type="submit" look="primary" isBusy={isBusy}>
        <span className="hidden-on-phones">Search</span>
        <svg className={styles.icon} viewBox="0 0 20 20" aria-hidden="true">
          <path d="M13.5 8.5a5 5 0 1 1-10 0 5 5 0 0 1 10 0Zm-1.5 3.5 5 5" />
        </svg>
      </Button>
    </form>
  );
}

/** Hides the keyboard of a phone, which would stay over the results. */
function hideKeyboard(): void {
  if (!matchMedia(HAS_KEYBOARD).matches) document.getElementById(BOX)?.blur();
}

/** Returns the completions of a text: none while they are unknown, or if the service doesn't say. */
function useCompletions(
  text: string,
  search: ExplorerSearch,
): readonly Completion[] {
  const settled = useSettled(text.trim());
  const isAsked = text !== "" && settled.length >= MIN_CHARACTERS;
  const { answer } = useQuery<Completion[]>(
    isAsked ? suggestPath(settled, search) : null,
  );
  return answer?.data ?? [];
}

/** Writes `Specialty · 1,234 providers`. Where a place is missing, the text says where, so the number is left out. */
function noteOf(
  { kind, label, total }: Completion,
  isPlaceMissing: boolean,
): string {
  const hasTotal = !isPlaceMissing && total !== undefined;
  return [
    KINDS[kind],
    label && labelText(label),
    hasTotal && providerCount(total),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Writes a city and its state, in natural capitals. */
function labelText(label: string): string {
  const [city = "", state = ""] = label.split(", ");
  return placeText(city, state);
}

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
