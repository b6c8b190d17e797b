import { setTabKey, NO_KEY } from "./tab-key.ts";
import { publicPath } from "../public-path.ts";

/** Connects this browser's tabs of the service. */
const port = new BroadcastChannel("portal:session");

/** The message of a sign-out; that of any other change is null. */
const SIGNED_OUT = "signed-out";

port.addEventListener("message", ({ data }) => {
  if (data === SIGNED_OUT) setTabKey(NO_KEY);
});

/** Notifies other tabs that the session has changed. */
export function broadcastSessionChange(): void {
  port.postMessage(null);
}

/** Calls when another tab broadcasts a change. Returns a function that stops it. */
export function onSessionBroadcast(call: () => void): () => void {
  port.addEventListener("message", call);
  return () => port.removeEventListener("message", call);
}

/**
 * Loads a page after signing out, forgets the API key in all tabs, and empties this page so that going back shows
 * nothing of the account.
 */
export function leaveAccount(to: string): void {
  port.postMessage(SIGNED_OUT);
  setTabKey(NO_KEY);
  document.body.replaceChildren();
  location.assign(publicPath(to));
}

/** Reloads an emptied page that the browser restores from its back-forward cache. */
export function reloadEmptied(): void {
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted && document.body.childElementCount === 0) location.reload();
  });
}
