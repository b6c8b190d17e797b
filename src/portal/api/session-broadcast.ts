/** To the other pages of the service that are open in this browser. */
const port = new BroadcastChannel("portal:session");

/** Tells the other pages that somebody signed in or out. */
export function broadcastSessionChange(): void {
  port.postMessage(null);
}

/** Calls when another page tells so; returns what ends that. */
export function onSessionBroadcast(call: () => void): () => void {
  port.addEventListener("message", call);
  return () => port.removeEventListener("message", call);
}

/**
 * Goes to a page after signing out: it is loaded anew and this one emptied, so that nothing of the account stays for whoever
 * comes back to it.
 */
export function leaveAccount(to: string): void {
  broadcastSessionChange();
  document.body.replaceChildren();
  location.assign(to);
}

/** Loads a page anew that was emptied and that the browser brings back as it was left. */
export function reloadEmptied(): void {
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted && document.body.childElementCount === 0) location.reload();
  });
}
