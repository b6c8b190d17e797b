/** How long to wait for a page to reach its earlier length. */
const PATIENCE_MS = 10_000;
/** Events by which the user takes over the scrolling. */
const MOVES = ["keydown", "pointerdown", "touchstart", "wheel"] as const;
/** How long after the last movement the position is saved. */
const STILL_MS = 100;

/** The address's fragment, until its element is rendered; "" for none. */
let awaitedFragment = "";

/** Saves and restores the scroll position of each history entry. The browser can't, since content loads later. */
export function keepScrollPlaces(): void {
  history.scrollRestoration = "manual";
  let still: ReturnType<typeof setTimeout> | undefined;
  addEventListener("scroll", () => {
    clearTimeout(still);
    still = setTimeout(notePlace, STILL_MS);
  });
  addEventListener("popstate", ({ state }) => {
    // A link to a fragment also fires this event, with an entry that has no position yet.
    if (state === null && location.hash !== "") {
      aimAtFragment();
      showFragment();
    } else {
      awaitedFragment = "";
      comeBack(placeIn(state));
    }
  });
  if (history.state === null) aimAtFragment();
  comeBack(placeIn(history.state));
}

/** Marks the address's fragment to be scrolled to. */
export function aimAtFragment(): void {
  awaitedFragment = location.hash;
}

/** Scrolls to the marked fragment, if its element is rendered. */
export function showFragment(): void {
  const part = document.getElementById(awaitedFragment.slice(1));
  if (part === null) return;
  awaitedFragment = "";
  part.scrollIntoView();
  part.focus({ preventScroll: true });
}

/** Saves the scroll position in the history entry. */
export function notePlace(): void {
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
  const moving = new AbortController();
  const { signal } = moving;
  for (const move of [...MOVES, "popstate"])
    addEventListener(move, () => moving.abort(), { signal });
  requestAnimationFrame(tryAgain);

  function tryAgain(): void {
    if (signal.aborted) return;
    const isThere =
      document.documentElement.scrollHeight - innerHeight >= to - 1;
    if (isThere) scrollTo(0, to);
    if (isThere || performance.now() >= end) moving.abort();
    else requestAnimationFrame(tryAgain);
  }
}
