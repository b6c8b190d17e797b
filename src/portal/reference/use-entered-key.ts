import { useEffect, useState } from "react";
import { keepKey, keptKey, NO_KEY } from "../api/kept-key.ts";
import { useSession } from "../api/session.tsx";

/**
 * The key for trying requests, and how to change it. It is kept for this tab's visit. The key of a signed-in user is
 * forgotten once that user isn't signed in any more.
 */
export function useEnteredKey(): readonly [string, (key: string) => void] {
  const { email } = useSession();
  const [entered, setEntered] = useState(keptKey);
  const isOwned = entered.email !== null;
  const isOthers = isOwned && email !== undefined && email !== entered.email;
  useEffect(() => {
    if (isOthers) keepKey(NO_KEY);
  }, [isOthers]);
  function enter(key: string): void {
    const next = { key, email: email ?? null };
    keepKey(next);
    setEntered(next);
  }
  return [isOwned && email !== entered.email ? "" : entered.key, enter];
}
