import { useState } from "react";
import type { Interpretation } from "../../../contract/interpret.ts";
import { callApi, type ApiFailure, type ApiOutcome } from "../../api/api.ts";
import type { Completion } from "../../../contract/explorer/suggest.ts";
import { navigate } from "../../shell/router.tsx";
import {
  readingOf,
  searchHref,
  isBlank,
  isComplete,
  type ExplorerSearch,
  narrowedSearch,
  typedNpi,
} from "../explorer-search.ts";
import { shownAlternatives } from "./shown-alternatives.ts";
import { useRequestSignal } from "../hooks.ts";

/** The service reads at most as many. */
export const MAX_CHARACTERS = 200;

/** The reading of a sentence. Shown at the address to which it led. */
export interface Reading {
  readonly at: string;
  readonly sentence: string;
  readonly interpretation: Interpretation;
  /** The address of the sentence without the filters before; null if there were none. */
  readonly onlyHref: string | null;
  /** True if the sentence finds no one, and its first alternative is shown. */
  readonly isReplaced: boolean;
}

/** Returns the other meanings of a sentence. None if it was added to other filters, which would be lost. */
export function otherReadings(
  reading: Reading | null,
): Interpretation["alternatives"] {
  if (reading === null || reading.onlyHref !== null) return [];
  const { interpretation, isReplaced } = reading;
  return isReplaced
    ? interpretation.alternatives.slice(1)
    : shownAlternatives(interpretation);
}

/** The sentence in the box. */
export interface Sentence {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Searches for the sentence. */
  readonly submit: () => void;
  /** Adds a suggestion to the search, or goes to its provider. */
  readonly choose: (chosen: Completion) => void;
  readonly isBusy: boolean;
  /** The reason why the last sentence could not be read. */
  readonly failure: ApiFailure | null;
  readonly reading: Reading | null;
}

/** The latest reading that led somewhere: the box may be on another page than its results. */
let latestReading: Reading | null = null;

/** Reads sentences, and goes to the addresses of their filters. `onSame` is called at the address that is shown. */
export function useSentence(
  search: ExplorerSearch,
  onSame: () => void,
): Sentence {
  const address = searchHref(search);
  const [text, setText] = useState("");
  const [asked, setAsked] = useState<Asked | null>(null);
  const [reading, setReading] = useState(latestReading);
  // Once the user goes somewhere else, the answer no longer counts.
  if (asked !== null && asked.at !== address) setAsked(null);
  const request = useRequestSignal(address);

  function go(to: string): void {
    setText("");
    if (to === address) onSame();
    else navigate(to);
  }

  /** Goes where a reading leads, which then also shows how it was read. */
  function show(shown: Reading): void {
    latestReading = shown;
    setReading(shown);
    go(shown.at);
  }

  /** Goes where a sentence leads. */
  function follow(sentence: string, interpretation: Interpretation): void {
    const typed = readingOf(interpretation);
    const note = {
      sentence,
      interpretation,
      onlyHref: null,
      isReplaced: false,
    };
    if (typed === null) return setReading({ ...note, at: address });
    if (typed.kind === "lookup") return navigate(`/npi/${typed.npi}`);
    const onlyHref = searchHref(typed);
    const all = searchHref(narrowedSearch(search, typed));
    if (all !== onlyHref) return show({ ...note, at: all, onlyHref });
    const [first] = interpretation.alternatives;
    const isTried =
      interpretation.total === 0 && first !== undefined && isComplete(typed);
    // Farther around the same place.
    const isAround = first?.filters.zip === interpretation.filters.zip;
    const understood = isAround ? interpretation.understood : [];
    const other = isTried ? readingOf({ ...first, understood }) : null;
    if (other !== null && other.kind !== "lookup")
      return show({ ...note, at: searchHref(other), isReplaced: true });
    return show({ ...note, at: all });
  }

  async function ask(sentence: string): Promise<void> {
    const signal = request.next();
    setAsked({ at: address, failure: null });
    const outcome = await readIn(search, sentence, signal).catch(() => null);
    if (outcome === null || signal.aborted) return;
    if (outcome.ok) {
      setAsked(null);
      follow(sentence, outcome.answer.data);
    } else setAsked({ at: address, failure: outcome.failure });
  }

  return {
    text,
    setText,
    submit() {
      request.stop();
      const sentence = text.trim();
      const npi = typedNpi(sentence);
      if (npi !== null) navigate(`/npi/${npi}`);
      else if (sentence !== "") void ask(sentence);
      else if (!isBlank(search)) onSame();
    },
    choose(chosen) {
      request.stop();
      const typed = readingOf(chosen);
      if (typed === null) return;
      if (typed.kind === "lookup") navigate(`/npi/${typed.npi}`);
      else if (!isComplete(search) || !isComplete(typed)) void ask(chosen.text);
      else go(searchHref(narrowedSearch(search, typed)));
    },
    isBusy: asked?.failure === null,
    failure: asked?.failure ?? null,
    reading: reading?.at === address ? reading : null,
  };
}

/**
 * Reads a sentence while a search is shown. If the search lacks a place, the sentence says where. If the
 * sentence lacks one, it is the city or the ZIP of the search.
 */
async function readIn(
  search: ExplorerSearch,
  sentence: string,
  signal: AbortSignal,
): Promise<ApiOutcome<Interpretation>> {
  const first = await read(
    isComplete(search) ? sentence : `near ${sentence}`,
    signal,
  );
  const place = typedPlace(search);
  if (!first.ok || place === "") return first;
  const typed = readingOf(first.answer.data);
  const isPlaced = typed === null || typed.kind === "lookup";
  return isPlaced || isComplete(typed)
    ? first
    : read(`${sentence} near ${place}`, signal);
}

function read(
  sentence: string,
  signal: AbortSignal,
): Promise<ApiOutcome<Interpretation>> {
  const query = new URLSearchParams({ q: sentence.slice(0, MAX_CHARACTERS) });
  return callApi<Interpretation>(`/explore/interpret?${query}`, { signal });
}

/** Returns the city, state, or ZIP of a search as users type it; empty if it has none, or is by distance. */
function typedPlace({ kind, parameters }: ExplorerSearch): string {
  if (kind === "nearby") return "";
  return ["city", "state", "zip"]
    .flatMap((name) => parameters.get(name) ?? [])
    .join(", ");
}

/** A sentence that is being read at an address, or could not be. */
interface Asked {
  readonly at: string;
  readonly failure: ApiFailure | null;
}
