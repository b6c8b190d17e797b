import "maplibre-gl/dist/maplibre-gl.css";
import {
  AttributionControl,
  addProtocol,
  Map as MapLibreMap,
  NavigationControl,
  setWorkerUrl,
  type GeoJSONSource,
} from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?url";
import type { MapBounds, MapPlace } from "../../contract/explorer/map.ts";
import {
  CITIES,
  citiesData,
  COUNTIES,
  COUNTIES_URL,
  COUNTY_ZOOM,
} from "./base-layers.ts";
import { mapColors, onThemeChange } from "./map-colors.ts";
import {
  areaOf,
  type MapArea,
  boundsOf,
  type MapCircle,
  type MapPoint,
} from "./map-points.ts";
import { mapLayers, mapStyle, maxZoomFor } from "./map-style.ts";
import {
  CIRCLE,
  circleData,
  COUNTS,
  MARK,
  markData,
  POINTS,
  pointsData,
  SPACE,
} from "./point-layers.ts";
import {
  choiceAt,
  choiceInMiddle,
  describeMap,
  type Choice,
} from "./selection.ts";
import { TILES, type MapTiles } from "./tiles.ts";

const PADDING = 36;
const CREDIT = "Shapes: U.S. Census Bureau, Natural Earth";
/**
 * Browsers keep a file with its headers for a year. Since the policy of workers allows loading shapes, their file has
 * this query.
 */
const WORKER_URL = new URL(`${workerUrl}?shapes`, location.href).href;
/** Zoomed out further, the country would be a spot. */
const MIN_ZOOM = 1.5;

/** The sources of what isn't sea. */
const LAND_SOURCES = ["states", "surroundings"];

/** The properties that change with the theme. */
const COLORS = [
  "background-color",
  "circle-color",
  "circle-stroke-color",
  "fill-color",
  "line-color",
  "text-color",
  "text-halo-color",
] as const;

export interface ProviderMapOptions {
  readonly tiles: MapTiles | null;
  /** Called with the keys of the chosen points, or none if the user chose nothing. */
  readonly onSelect: (keys: readonly string[]) => void;
  /** Called when the user has moved the map. */
  readonly onMove: (area: MapArea) => void;
}

/** A map that is drawn, and the functions that change it. */
export interface ProviderMap {
  /** Shows these points and this circle, and stays where it is. */
  show(points: readonly MapPoint[], circle: MapCircle | null): void;
  /** Moves so that all of this is visible, also when the map's size changes before the user moves it. */
  fit(bounds: MapBounds): void;
  /** Marks a place. */
  mark(place: readonly [lat: number, lng: number] | null): void;
  /** Writes the names of cities. */
  name(cities: readonly MapPlace[]): void;
}

/** Draws a map into an element until the signal aborts. Rejects if the shapes can't be loaded or WebGL is missing. */
export async function createProviderMap(
  container: HTMLElement,
  { onMove, onSelect, tiles }: ProviderMapOptions,
  signal: AbortSignal,
): Promise<ProviderMap> {
  setWorkerUrl(WORKER_URL);
  if (tiles?.load !== undefined) addProtocol(TILES, tiles.load);
  const map = new MapLibreMap({
    container,
    style: mapStyle(mapColors(container), tiles),
    bounds: [...boundsOf([], null)],
    fitBoundsOptions: { padding: PADDING },
    minZoom: MIN_ZOOM,
    maxZoom: maxZoomFor(tiles),
    attributionControl: false,
    // Rotating the map would show nothing more.
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    renderWorldCopies: false,
    fadeDuration: 0,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), "top-right");
  map.addControl(
    new AttributionControl({
      compact: false,
      customAttribution: asHtml(tiles?.attribution ?? CREDIT),
    }),
  );
  map.addImage(SPACE, { width: 1, height: 1, data: new Uint8Array(4) });
  sharePage(map, signal);
  const endTheme = onThemeChange(() => recolor(map, container, tiles));
  signal.addEventListener("abort", () => {
    endTheme();
    map.remove();
  });
  let framed: MapBounds = boundsOf([], null);
  let isMoved = false;
  const frame = () => {
    const [west, south, east, north] = framed;
    map.fitBounds([west, south, east, north], {
      padding: PADDING,
      animate: false,
    });
  };
  listen(map, onSelect, (area) => {
    isMoved = true;
    onMove(area);
  });
  // In a new layout, or turned on its side, the map still shows everything.
  map.on("resize", () => {
    if (!isMoved) frame();
  });
  map.on("idle", () => describeMap(map));
  showOnceDrawn(map, container, signal);
  if (tiles === null) addCountiesWhenZoomed(map);
  await map.once("load");
  signal.throwIfAborted();
  return {
    show(points, circle) {
      void sourceOf(map, POINTS)?.setData(pointsData(points));
      void sourceOf(map, CIRCLE)?.setData(circleData(circle));
    },
    fit(bounds) {
      framed = bounds;
      isMoved = false;
      map.resize();
      frame();
    },
    mark(place) {
      void sourceOf(map, MARK)?.setData(markData(place));
    },
    name(cities) {
      void sourceOf(map, CITIES)?.setData(citiesData(cities));
    },
  };
}

/** Shows the canvas from the first time that land is drawn: the operator's tiles may take longer. */
function showOnceDrawn(
  map: MapLibreMap,
  container: HTMLElement,
  signal: AbortSignal,
): void {
  signal.addEventListener("abort", () => delete container.dataset["drawn"]);
  map.on("render", onRender);

  function onRender(): void {
    const isDrawn = LAND_SOURCES.every(
      (source) =>
        map.getSource(source) !== undefined && map.isSourceLoaded(source),
    );
    if (!isDrawn) return;
    map.off("render", onRender);
    container.dataset["drawn"] = "";
  }
}

/** Escapes the attribution, which the library treats as HTML. */
function asHtml(text: string): string {
  const element = document.createElement("span");
  element.textContent = text;
  return element.innerHTML;
}

/** Selects points or zooms into a cluster on a click, or on Enter for what is in the middle. */
function listen(
  map: MapLibreMap,
  onSelect: ProviderMapOptions["onSelect"],
  onMove: ProviderMapOptions["onMove"],
): void {
  const choose = async (found: Promise<Choice | null>, by: Event) => {
    // The points may have changed meanwhile.
    const choice = await found.catch(() => null);
    onSelect(choice?.kind === "points" ? choice.keys : []);
    if (choice?.kind !== "cluster") return;
    const { center, zoom } = choice;
    map.easeTo({ center, zoom }, { originalEvent: by });
  };
  map.on("click", ({ originalEvent, point }) => {
    void choose(choiceAt(map, point), originalEvent);
  });
  map.getCanvas().addEventListener("keydown", (event) => {
    if (event.key === "Enter") void choose(choiceInMiddle(map), event);
  });
  for (const layer of [POINTS, COUNTS]) {
    map.on("mouseenter", layer, () => setCursor(map, "pointer"));
    map.on("mouseleave", layer, () => setCursor(map, ""));
  }
  map.on("moveend", ({ originalEvent }) => {
    if (originalEvent === undefined) return;
    const [[west, south], [east, north]] = map.getBounds().toArray();
    onMove(areaOf([west, south, east, north]));
  });
}

/** Adds the counties later, because the map is usable with states only. */
function addCountiesWhenZoomed(map: MapLibreMap): void {
  map.on("zoom", onZoom);

  function onZoom(): void {
    if (map.getZoom() < COUNTY_ZOOM) return;
    map.off("zoom", onZoom);
    void sourceOf(map, COUNTIES)?.setData(COUNTIES_URL);
  }
}

function recolor(
  map: MapLibreMap,
  container: HTMLElement,
  tiles: MapTiles | null,
): void {
  for (const { id, paint = {} } of mapLayers(mapColors(container), tiles)) {
    const values = new Map<string, unknown>(Object.entries(paint));
    for (const name of COLORS) {
      const value = values.get(name);
      if (typeof value === "string") map.setPaintProperty(id, name, value);
    }
  }
}

function setCursor(map: MapLibreMap, name: string): void {
  map.getCanvas().style.cursor = name;
}

function sourceOf(map: MapLibreMap, id: string): GeoJSONSource | undefined {
  return map.getSource<GeoJSONSource>(id);
}

/**
 * Lets the page scroll over the map, without a notice: the wheel zooms only with Ctrl (⌘) or after a click on the map,
 * and it takes two fingers to move the map. Until the signal aborts.
 */
function sharePage(map: MapLibreMap, signal: AbortSignal): void {
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
