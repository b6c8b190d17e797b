/** How long a page may take to become as long as it was, in milliseconds. */
const PATIENCE_MS = 1_500;

/** Remembers how far each page of the history was read, and comes back there: pages are filled after they are shown. */
export function keepScrollPlaces(): void {
  history.scrollRestoration = "manual";
  addEventListener("scrollend", note);
  addEventListener("popstate", ({ state }) => {
    // A link to a part of the page is such an event too, of a step that has no place yet.
    if (state === null && location.hash !== "") showFragment();
    else comeBack(placeIn(state));
  });
  comeBack(placeIn(history.state));
}

/** Goes to the part of the page that the address names, once it is there; not where the reader comes back to a place. */
export function showFragment(): void {
  if (history.state !== null || location.hash === "") return;
  const part = document.getElementById(location.hash.slice(1));
  part?.scrollIntoView();
  part?.focus({ preventScroll: true });
}

function note(): void {
  history.replaceState({ scroll: scrollY }, "");
}

function placeIn(state: unknown): number {
  return typeof state === "object" &&
    state !== null &&
    "scroll" in state &&
    typeof state.scroll === "number"
    ? state.scroll
    : 0;
}

function comeBack(to: number): void {
  const end = performance.now() + PATIENCE_MS;
  requestAnimationFrame(tryAgain);

  function tryAgain(): void {
    const isThere =
      document.documentElement.scrollHeight - innerHeight >= to - 1;
    if (isThere) scrollTo(0, to);
    else if (performance.now() < end) requestAnimationFrame(tryAgain);
  }
}
