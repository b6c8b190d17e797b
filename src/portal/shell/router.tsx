import { useMemo, useSyncExternalStore, type ComponentProps } from "react";
import { aimAtFragment, notePlace, showFragment } from "./scroll-places.ts";

/** Where the reader is. */
export interface RouterLocation {
  readonly path: string;
  readonly query: URLSearchParams;
}

const NAVIGATED = "portal:navigated";

/** Whether the reader has come to this page from another one of the portal. */
let hasNavigated = false;

/** The address, anew on each change of it. */
export function useLocation(): RouterLocation {
  const address = useSyncExternalStore(subscribe, readAddress);
  return useMemo(() => {
    const { pathname, searchParams } = new URL(address, location.origin);
    return { path: pathname, query: searchParams };
  }, [address]);
}

/** Goes to an address of the portal; `replace` leaves no step to go back to. */
export function navigate(to: string, { replace = false } = {}): void {
  const { hash, href, pathname } = new URL(to, location.href);
  const isHere = href === location.href;
  if (isHere && hash === "") return;
  const isFromTop =
    pathname !== location.pathname || (hash === "" && location.hash !== "");
  if (!isHere) {
    notePlace();
    if (replace) history.replaceState(null, "", to);
    else history.pushState(null, "", to);
  }
  hasNavigated = true;
  aimAtFragment();
  if (isFromTop) scrollTo(0, 0);
  else showFragment();
  dispatchEvent(new Event(NAVIGATED));
}

/** Whether the heading of a page takes the focus: not on the first one, where the reader begins at the top. */
export function takesFocus(): boolean {
  return hasNavigated;
}

/** A real link, followed without loading the page anew where the browser would do just that. */
export function Link({
  children,
  href,
  onClick,
  onFollow,
  ...others
}: LinkProps) {
  return (
    <a
      {...others}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        const isPlain =
          event.button === 0 &&
          !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
        if (event.defaultPrevented || !isPlain) return;
        event.preventDefault();
        navigate(href);
        onFollow?.();
      }}
    >
      {children}
    </a>
  );
}

export type LinkProps = ComponentProps<"a"> & {
  readonly href: string;
  /** Told when the reader has gone there. */
  readonly onFollow?: () => void;
};

function readAddress(): string {
  return location.pathname + location.search;
}

function subscribe(onChange: () => void): () => void {
  const onBack = () => {
    hasNavigated = true;
    onChange();
  };
  addEventListener("popstate", onBack);
  addEventListener(NAVIGATED, onChange);
  return () => {
    removeEventListener("popstate", onBack);
    removeEventListener(NAVIGATED, onChange);
  };
}
