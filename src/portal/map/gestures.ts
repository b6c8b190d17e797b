import type { Map as MapLibreMap } from "maplibre-gl";

/**
 * Lets the page scroll over the map, without a notice: the wheel zooms only with Ctrl (⌘) or after a click on the map,
 * and it takes two fingers to move the map. Until the signal aborts.
 */
export function sharePage(map: MapLibreMap, signal: AbortSignal): void {
  const canvas = map.getCanvas();
  let isTouched = false;
  // The library's own rule for gestures, without its notice that covers the map.
  map.cooperativeGestures.notifyGestureBlocked = () => undefined;
  map.cooperativeGestures.enable();
  canvas.addEventListener(
    "pointerdown",
    ({ pointerType }) => {
      isTouched = pointerType === "touch";
      if (!isTouched) map.cooperativeGestures.disable();
    },
    { signal },
  );
  canvas.addEventListener(
    "focus",
    () => {
      if (!isTouched) map.cooperativeGestures.disable();
    },
    { signal },
  );
  canvas.addEventListener("blur", () => map.cooperativeGestures.enable(), {
    signal,
  });
  canvas.addEventListener(
    "keydown",
    ({ key }) => {
      if (key === "Escape") canvas.blur();
    },
    { signal },
  );
}
