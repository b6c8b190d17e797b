import {
  useEffect,
  useCallback,
  useSyncExternalStore,
  useState,
  useRef,
} from "react";
import type { TaxonomyEntry } from "../../contract/answers.ts";
import { useQuery } from "../api/use-query.ts";

/** Matches windows too narrow for filters above the results, such as a phone's: there, filters open in a sheet. */
export const IS_PHONE = "(width < 48rem)";
/** Wide enough for the list and the map side by side. */
export const IS_WIDE = "(width >= 64rem)";

/** True if a media query matches; rerenders when that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = matchMedia(query);
      list.addEventListener("change", onChange);
      return () => list.removeEventListener("change", onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/** Returns the display name of a taxonomy code; null while it is unknown, and without a code. */
export function useTaxonomyName(code: string | null): string | null {
  const { answer } = useQuery<TaxonomyEntry[]>(
    code === null
      ? null
      : `/explore/taxonomies?${new URLSearchParams({ q: code, limit: "1" })}`,
  );
  const [entry] = answer?.data ?? [];
  return entry?.code === code?.toUpperCase()
    ? (entry?.description ?? null)
    : null;
}

/** Longer than a pause between letters, shorter than one between words. */
const PAUSE_MS = 150;

/** Returns the text, once it hasn't changed for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** Runs one request at a time. */
export interface RequestSignal {
  /** Aborts the running request. */
  readonly stop: () => void;
  /** Aborts the running request, and returns the signal of the next one. */
  readonly next: () => AbortSignal;
}

/** Aborts a request once the user goes to another address, or the component is removed. */
export function useRequestSignal(address: string): RequestSignal {
  const running = useRef<Running | null>(null);
  useEffect(() => {
    if (running.current?.at !== address) running.current?.leaving.abort();
  }, [address]);
  useEffect(() => () => running.current?.leaving.abort(), []);
  const stop = () => running.current?.leaving.abort();
  return {
    stop,
    next() {
      stop();
      const leaving = new AbortController();
      running.current = { at: address, leaving };
      return leaving.signal;
    },
  };
}

interface Running {
  readonly at: string;
  readonly leaving: AbortController;
}
