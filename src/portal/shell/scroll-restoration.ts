/** How long to wait for a page to reach its earlier length. */
const RESTORE_MS = 10_000;
/** Events by which the user takes over the scrolling. */
const USER_EVENTS = ["keydown", "pointerdown", "touchstart", "wheel"] as const;
/** How long after the last movement the position is saved. */
const SETTLE_MS = 100;

/** The address's fragment, until its element is rendered; "" for none. */
let pendingFragment = "";

/** What a history entry keeps of its page. */
interface SavedView {
  readonly scroll: number;
  /** The address of the link that was followed; null if none had the focus. */
  readonly focus: string | null;
}

const TOP: SavedView = { scroll: 0, focus: null };

/**
 * Saves and restores the scroll position of each history entry, and on the way back the focus on the link that was
 * followed. The browser can't, since content loads later.
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
  restore({ ...viewIn(history.state), focus: null });
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
  let hasScrolled = false;
  requestAnimationFrame(tryOnce);

  function tryOnce(): void {
    if (signal.aborted) return;
    const height = document.documentElement.scrollHeight - innerHeight;
    if (!hasScrolled && height >= scroll - 1) {
      hasScrolled = true;
      scrollTo(0, scroll);
    }
    const link = focus === null ? null : linkTo(focus);
    link?.focus({ preventScroll: true });
    const isDone = hasScrolled && (focus === null || link !== null);
    if (isDone || performance.now() >= end) moving.abort();
    else requestAnimationFrame(tryOnce);
  }
}

function linkTo(href: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(
    `main a[href="${CSS.escape(href)}"]`,
  );
}
