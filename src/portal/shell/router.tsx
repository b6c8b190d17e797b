import { useMemo, useSyncExternalStore, type ComponentProps } from "react";
import { publicPath, servicePath } from "../public-path.ts";
import {
  markFragment,
  saveView,
  scrollToFragment,
} from "./scroll-restoration.ts";

/** The path, below the service's prefix, and the query of the address. */
export interface RouterLocation {
  readonly path: string;
  readonly query: URLSearchParams;
}

const NAVIGATED = "portal:navigated";

/** True if the user has navigated since the portal was loaded. */
let hasNavigated = false;

/** Returns the current location; rerenders when it changes. */
export function useLocation(): RouterLocation {
  const address = useSyncExternalStore(subscribe, readAddress);
  return useMemo(() => {
    const { pathname, searchParams } = new URL(address, location.origin);
    return { path: servicePath(pathname), query: searchParams };
  }, [address]);
}

/** Returns the fragment of the address, such as `#order`, or ""; rerenders when it changes. */
export function useFragment(): string {
  return useSyncExternalStore(subscribe, () => location.hash);
}

/** Goes to an address of the portal. `replace` adds no step to the history. */
export function navigate(to: string, { replace = false } = {}): void {
  const { hash, href, pathname } = new URL(publicPath(to), location.href);
  const isHere = href === location.href;
  if (isHere && hash === "") return;
  const isFromTop =
    pathname !== location.pathname || (hash === "" && location.hash !== "");
  if (!isHere) {
    saveView();
    if (replace) history.replaceState(null, "", href);
    else history.pushState(null, "", href);
  }
  hasNavigated = true;
  markFragment();
  if (isFromTop) scrollTo(0, 0);
  else scrollToFragment();
  dispatchEvent(new Event(NAVIGATED));
}

/** True if a page's heading takes the focus: not on the first page, where focus starts at the top. */
export function focusesHeading(): boolean {
  return hasNavigated;
}

/** Navigates without reloading the page: a real link, unless it opens in a new tab or window. */
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
      href={publicPath(href)}
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
  /** Called after the navigation. */
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
