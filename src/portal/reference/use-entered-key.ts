import { useSyncExternalStore } from "react";
import { keepKey, keptKey, onKeptKey } from "../api/kept-key.ts";
import { useSession } from "../api/session.tsx";

/**
 * The key for trying requests, and how to change it. It is kept for this tab's visit. The key of a signed-in user shows
 * only while that user is signed in.
 */
export function useEnteredKey(): readonly [string, (key: string) => void] {
  const { email } = useSession();
  const kept = useSyncExternalStore(onKeptKey, keptKey);
  const isOthers = kept.email !== null && kept.email !== email;
  return [
    isOthers ? "" : kept.key,
    (key) => keepKey({ key, email: email ?? null }),
  ];
}
