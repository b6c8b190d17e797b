/** How long a page may take to become as long as it was, in milliseconds. */
const PATIENCE_MS = 1_500;

/** Remembers how far each page of the history was read, and comes back there: pages are filled after they are shown. */
export function keepScrollPlaces(): void {
  history.scrollRestoration = "manual";
  addEventListener("scrollend", note);
  addEventListener("popstate", (event) => comeBack(placeIn(event.state)));
  comeBack(placeIn(history.state));
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
