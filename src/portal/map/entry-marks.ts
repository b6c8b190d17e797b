import { useCallback, useSyncExternalStore } from "react";

/**
 * The marks of the list and the map for each other: the entry that the user points at, and the entries at the chosen
 * points. Outside of React's state, so that a mark draws one entry again and not the whole list.
 */
let pointed: string | null = null;
let chosen: ReadonlySet<string> = new Set();
const watchers = new Set<() => void>();

/** Marks the point of an entry on the map, by NPI; null for none. */
export function pointAt(npi: string | null): void {
  if (npi === pointed) return;
  pointed = npi;
  for (const changed of watchers) changed();
}

/** Marks the entries of these NPIs in the list. */
export function choose(npis: readonly string[]): void {
  if (npis.length === 0 && chosen.size === 0) return;
  chosen = new Set(npis);
  for (const changed of watchers) changed();
}

/** The NPI of the entry that the user points at; null if there is none. */
export function usePointed(): string | null {
  return useSyncExternalStore(watch, () => pointed);
}

/** True if an entry is at one of the chosen points. */
export function useIsChosen(npi: string): boolean {
  const isChosen = useCallback(() => chosen.has(npi), [npi]);
  return useSyncExternalStore(watch, isChosen);
}

function watch(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}
