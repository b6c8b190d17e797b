import { KEY_PATTERN } from "../../contract/credentials.ts";

/** An API key that was pasted or created in the reference, and the user who was signed in then. */
export interface TabKey {
  /** The entered text, whole or not; empty for none. */
  readonly key: string;
  readonly email: string | null;
}

export const NO_KEY: TabKey = { key: "", email: null };

const NAME = "reference-key";
const CHANGED = "portal:tab-key";

let current = storedKey();

/** Returns the key of this tab. If it is whole, it survives reloads, and it is gone when the tab is closed. */
export function tabKey(): TabKey {
  return current;
}

/** Keeps a key, and forgets the one before. */
export function setTabKey(next: TabKey): void {
  current = next;
  try {
    if (KEY_PATTERN.test(current.key))
      sessionStorage.setItem(NAME, JSON.stringify(current));
    else sessionStorage.removeItem(NAME);
  } catch {
    // Without storage, the key lasts until the page is left.
  }
  dispatchEvent(new Event(CHANGED));
}

/** Forgets the key of a user who isn't the one signed in now; null for no one. */
export function forgetKeyOfOthers(email: string | null): void {
  if (current.email !== null && current.email !== email) setTabKey(NO_KEY);
}

/** Calls when the key has changed. Returns a function that stops it. */
export function onTabKey(call: () => void): () => void {
  addEventListener(CHANGED, call);
  return () => removeEventListener(CHANGED, call);
}

function storedKey(): TabKey {
  try {
    const { email, key } = JSON.parse(sessionStorage.getItem(NAME) ?? "null");
    return KEY_PATTERN.test(key)
      ? { key, email: typeof email === "string" ? email : null }
      : NO_KEY;
  } catch {
    // Nothing is stored, or the browser blocks storage.
    return NO_KEY;
  }
}
