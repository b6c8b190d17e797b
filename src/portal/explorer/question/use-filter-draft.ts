import { useState } from "react";
import type { Interpretation } from "../../../contract/interpret.ts";
import { callApi } from "../../api/api.ts";
import { navigate } from "../../shell/router.tsx";
import {
  searchHref,
  withChanges,
  type Changes,
  type ExplorerSearch,
  cityCenter,
  formSearch,
  type CityCenter,
  typedNpi,
} from "../explorer-search.ts";
import { useRequestSignal } from "../hooks.ts";

/** The changes in the form of filters that weren't searched for. */
export interface FilterDraft {
  readonly changes: Changes;
  /** The reason why the city can't be the center of a search by distance, or null. */
  readonly cityProblem: string | null;
  readonly enter: (more: Changes) => void;
  /** Searches with the draft and these changes. */
  readonly go: (more?: Changes) => void;
}

const NO_LOCATION = "Its location is unknown. Enter a ZIP code instead.";

/** Drops a draft once the address changes, even if the user comes back to it. */
export function useFilterDraft(
  search: ExplorerSearch,
  onSame: () => void,
): FilterDraft {
  const address = searchHref(search);
  const [draft, setDraft] = useState(draftAt(address));
  const request = useRequestSignal(address);
  if (draft.of !== address) setDraft(draftAt(address));
  const { changes, cityProblem } = draft;

  function show(to: ExplorerSearch): void {
    const href = searchHref(to);
    if (href !== address) return navigate(href);
    setDraft(draftAt(address));
    return onSame();
  }

  function go(more: Changes = {}): void {
    const next = { ...changes, ...more };
    setDraft({ of: address, changes: next, cityProblem: null });
    const npi = typedNpi(next["name"] ?? "");
    if (npi !== null) return navigate(`/npi/${npi}`);
    const center = cityCenter(search, next);
    if (center === null) return show(formSearch(search, next));
    return void searchAround(center, next);
  }

  async function searchAround(center: CityCenter, next: Changes) {
    const signal = request.next();
    const zip = await zipOf(center, signal);
    if (signal.aborted) return;
    if (zip === null)
      setDraft({ of: address, changes: next, cityProblem: NO_LOCATION });
    else {
      const point = { city: "", state: "", lat: "", lng: "", zip };
      show(withChanges(formSearch(search, next), point));
    }
  }

  return {
    changes,
    cityProblem,
    enter: (more) =>
      setDraft({
        of: address,
        changes: { ...changes, ...more },
        cityProblem: null,
      }),
    go,
  };
}

interface Draft extends Pick<FilterDraft, "changes" | "cityProblem"> {
  /** The address at which it was entered. */
  readonly of: string;
}

function draftAt(address: string): Draft {
  return { of: address, changes: {}, cityProblem: null };
}

/** Finds the ZIP with the most providers of a city; null if it has none, or without an answer. */
async function zipOf(
  { city, state }: CityCenter,
  signal: AbortSignal,
): Promise<string | null> {
  const q = `near ${[city, state].filter(Boolean).join(", ")}`;
  const outcome = await callApi<Interpretation>(
    `/explore/interpret?${new URLSearchParams({ q })}`,
    { signal },
  ).catch(() => null);
  if (outcome?.ok !== true) return null;
  const { filters, operation } = outcome.answer.data;
  return operation === "nearby" ? (filters.zip ?? null) : null;
}
