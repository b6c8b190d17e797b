import { KEY_PATTERN } from "../../contract/credentials.ts";

/** An API key that was pasted or created in the reference, and the user who was signed in then. */
export interface KeptKey {
  /** Empty for none. */
  readonly key: string;
  readonly email: string | null;
}

export const NO_KEY: KeptKey = { key: "", email: null };

const NAME = "reference-key";

/** The key of this tab. It survives reloads, and is gone when the tab is closed. */
export function keptKey(): KeptKey {
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

/** Keeps a whole key, and forgets the one before. */
export function keepKey(kept: KeptKey): void {
  try {
    if (KEY_PATTERN.test(kept.key))
      sessionStorage.setItem(NAME, JSON.stringify(kept));
    else sessionStorage.removeItem(NAME);
  } catch {
    // Without storage, the key lasts until the page is left.
  }
}
