/** The longest wait for a page to reach its earlier length. */
const RESTORE_MS = 10_000;
/** Events by which the user takes over the scrolling. */
const USER_EVENTS = ["keydown", "pointerdown", "touchstart", "wheel"] as const;
/** The time after the last movement until the position is saved. */
const SETTLE_MS = 100;

/** The address's fragment, until its element is rendered; "" for none. */
let pendingFragment = "";

/** The state of a page that its history entry keeps. */
interface SavedView {
  readonly scroll: number;
  /** The address of the link that was followed; null if none had the focus. */
  readonly focus: string | null;
}

const TOP: SavedView = { scroll: 0, focus: null };

/**
 * Saves and restores the scroll position of each history entry, and on the way back the focus on the link that was
 * followed, unless the user has begun to type. The browser can't, since content loads later.
 */
export function restoreScrollPositions(): void {
  history.scrollRestoration = "manual";
  let still: ReturnType<typeof setTimeout> | undefined;
  addEventListener("scroll", () => {
    clearTimeout(still);
    still = setTimeout(saveView, SETTLE_MS);
  });
  addEventListener("popstate", ({ state }) => {
    // A link to a fragment also fires this event, with an entry that has no position yet.
    if (state === null && location.hash !== "") {
      markFragment();
      scrollToFragment();
    } else {
      pendingFragment = "";
      restore(viewIn(state));
    }
  });
  if (history.state === null) markFragment();
  else restore({ ...viewIn(history.state), focus: null });
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

/** Saves the scroll position in the history entry, and the link that has the focus. */
export function saveView(): void {
  const link = document.activeElement?.closest("main a");
  const view: SavedView = {
    scroll: scrollY,
    focus: link?.getAttribute("href") ?? null,
  };
  history.replaceState(view, "");
}

function viewIn(state: unknown): SavedView {
  if (typeof state !== "object" || state === null) return TOP;
  const { focus, scroll } = { ...TOP, ...state };
  return {
    scroll: typeof scroll === "number" ? scroll : 0,
    focus: typeof focus === "string" ? focus : null,
  };
}

function restore({ focus, scroll }: SavedView): void {
  const end = performance.now() + RESTORE_MS;
  const moving = new AbortController();
  const { signal } = moving;
  for (const move of [...USER_EVENTS, "popstate"])
    addEventListener(move, () => moving.abort(), { signal });
  const focusedBefore = document.activeElement;
  let hasScrolled = false;
  let linkToFocus = focus;
  requestAnimationFrame(tryOnce);

  function tryOnce(): void {
    if (signal.aborted) return;
    const height = document.documentElement.scrollHeight - innerHeight;
    if (!hasScrolled && height >= scroll - 1) {
      hasScrolled = true;
      scrollTo(0, scroll);
    }
    const link = linkToFocus === null ? null : linkTo(linkToFocus);
    // A page's heading takes the focus too, but no user types there.
    const { activeElement } = document;
    const isFocusTaken =
      activeElement !== focusedBefore &&
      activeElement?.matches("input, select, textarea") === true;
    if (!isFocusTaken) link?.focus({ preventScroll: true });
    if (isFocusTaken || link !== null) linkToFocus = null;
    const isDone = hasScrolled && linkToFocus === null;
    if (isDone || performance.now() >= end) moving.abort();
    else requestAnimationFrame(tryOnce);
  }
}

function linkTo(href: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(
    `main a[href="${CSS.escape(href)}"]`,
  );
}
