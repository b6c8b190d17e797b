import { useCallback, useSyncExternalStore } from "react";

/** Too narrow for filters above the results, as phones are: they open in a sheet. */
export const IS_PHONE = "(width < 48rem)";
/** Wide enough for the list and the map side by side. */
export const IS_WIDE = "(width >= 64rem)";

/** True if a media query matches; rerenders when that changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = matchMedia(query);
      list.addEventListener("change", onChange);
      return () => list.removeEventListener("change", onChange);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
