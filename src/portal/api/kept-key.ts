import { KEY_PATTERN } from "../../contract/credentials.ts";

/** An API key that was pasted or created in the reference, and the user who was signed in then. */
export interface KeptKey {
  /** The entered text, whole or not; empty for none. */
  readonly key: string;
  readonly email: string | null;
}

export const NO_KEY: KeptKey = { key: "", email: null };

const NAME = "reference-key";
const CHANGED = "portal:kept-key";

let kept = storedKey();

/** Returns the key of this tab. If it is whole, it survives reloads, and it is gone when the tab is closed. */
export function keptKey(): KeptKey {
  return kept;
}

/** Keeps a key, and forgets the one before. */
export function keepKey(next: KeptKey): void {
  kept = next;
  try {
    if (KEY_PATTERN.test(kept.key))
      sessionStorage.setItem(NAME, JSON.stringify(kept));
    else sessionStorage.removeItem(NAME);
  } catch {
    // Without storage, the key lasts until the page is left.
  }
  dispatchEvent(new Event(CHANGED));
}

/** Forgets the key of a user who isn't the one signed in now; null for no one. */
export function forgetKeyOfOthers(email: string | null): void {
  if (kept.email !== null && kept.email !== email) keepKey(NO_KEY);
}

/** Calls when the key has changed. Returns a function that stops it. */
export function onKeptKey(call: () => void): () => void {
  addEventListener(CHANGED, call);
  return () => removeEventListener(CHANGED, call);
}

function storedKey(): KeptKey {
  try {
    const { email, key } = JSON.parse(sessionStorage.getItem(NAME) ?? "null");
    return KEY_PATTERN.test(key)
      ? { key, email: typeof email === "string" ? email : null }
      : NO_KEY;
  } catch {
    // Nothing is kept, or the browser blocks storage.
    return NO_KEY;
  }
}
