/** How long a page may take to become as long as it was, in milliseconds. */
const PATIENCE_MS = 10_000;
/** What says that the reader goes elsewhere meanwhile. */
const MOVES = ["keydown", "pointerdown", "touchstart", "wheel"] as const;
/** So long after the last movement the reader stands still. */
const STILL_MS = 100;

/** The part of the page to go to once it is there, as the address names it; "" for none. */
let awaitedFragment = "";

/** Remembers how far each page of the history was read, and comes back there: pages are filled after they are shown. */
export function keepScrollPlaces(): void {
  history.scrollRestoration = "manual";
  let still: ReturnType<typeof setTimeout> | undefined;
  addEventListener("scroll", () => {
    clearTimeout(still);
    still = setTimeout(notePlace, STILL_MS);
  });
  addEventListener("popstate", ({ state }) => {
    // A link to a part of the page is such an event too, of a step that has no place yet.
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

/** Notes that the reader wants the part of a page that the address names. */
export function aimAtFragment(): void {
  awaitedFragment = location.hash;
}

/** Goes to the part of the page that is wanted, if it is there by now. */
export function showFragment(): void {
  const part = document.getElementById(awaitedFragment.slice(1));
  if (part === null) return;
  awaitedFragment = "";
  part.scrollIntoView();
  part.focus({ preventScroll: true });
}

/** Notes how far this page was read. */
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
