/** How long to wait for a page to reach its earlier length. */
const RESTORE_MS = 10_000;
/** Events by which the user takes over the scrolling. */
const USER_EVENTS = ["keydown", "pointerdown", "touchstart", "wheel"] as const;
/** How long after the last movement the position is saved. */
const SETTLE_MS = 100;

/** The address's fragment, until its element is rendered; "" for none. */
let pendingFragment = "";

/** Saves and restores the scroll position of each history entry. The browser can't, since content loads later. */
export function restoreScrollPositions(): void {
  history.scrollRestoration = "manual";
  let still: ReturnType<typeof setTimeout> | undefined;
  addEventListener("scroll", () => {
    clearTimeout(still);
    still = setTimeout(saveScroll, SETTLE_MS);
  });
  addEventListener("popstate", ({ state }) => {
    // A link to a fragment also fires this event, with an entry that has no position yet.
    if (state === null && location.hash !== "") {
      markFragment();
      scrollToFragment();
    } else {
      pendingFragment = "";
      scrollBackTo(scrollIn(state));
    }
  });
  if (history.state === null) markFragment();
  scrollBackTo(scrollIn(history.state));
}

/** Marks the address's fragment to be scrolled to. */
export function markFragment(): void {
  pendingFragment = location.hash;
}

/** Scrolls to the marked fragment, if its element is rendered. */
export function scrollToFragment(): void {
  const part = document.getElementById(pendingFragment.slice(1));
  if (part === null) return;
  pendingFragment = "";
  part.scrollIntoView();
  part.focus({ preventScroll: true });
}

/** Saves the scroll position in the history entry. */
export function saveScroll(): void {
  history.replaceState({ scroll: scrollY }, "");
}

function scrollIn(state: unknown): number {
  return typeof state === "object" &&
    state !== null &&
    "scroll" in state &&
    typeof state.scroll === "number"
    ? state.scroll
    : 0;
}

function scrollBackTo(to: number): void {
  const end = performance.now() + RESTORE_MS;
  const moving = new AbortController();
  const { signal } = moving;
  for (const move of [...USER_EVENTS, "popstate"])
    addEventListener(move, () => moving.abort(), { signal });
  requestAnimationFrame(tryScroll);

  function tryScroll(): void {
    if (signal.aborted) return;
    const isThere =
      document.documentElement.scrollHeight - innerHeight >= to - 1;
    if (isThere) scrollTo(0, to);
    if (isThere || performance.now() >= end) moving.abort();
    else requestAnimationFrame(tryScroll);
  }
}
