import "maplibre-gl/dist/maplibre-gl.css";
import {
  AttributionControl,
  Map as MapLibreMap,
  NavigationControl,
  setWorkerUrl,
  type GeoJSONSource,
} from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?url";
import { providerCount } from "../format.ts";
import { mapColors, onThemeChange } from "./map-colors.ts";
import { boundsOf, type MapCircle, type MapPoint } from "./map-points.ts";
import {
  CIRCLE,
  circleData,
  COUNTIES,
  COUNTY_NAMES,
  COUNTY_ZOOM,
  layers,
  mapStyle,
  maxZoomFor,
  POINTS,
  pointsData,
} from "./map-style.ts";
import { loadCounties, loadStates } from "./shapes.ts";

const PADDING = 36;

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

export interface ProviderMap {
  /** Shows these points, and moves so that all are visible. */
  show(
    points: readonly MapPoint[],
    circle: MapCircle | null,
    includesCountry: boolean,
  ): void;
}

export interface ProviderMapOptions {
  readonly tileUrl: string | null;
  /** The tiles' attribution; null for their host's name. */
  readonly attribution: string | null;
  /** Called with the clicked point's key, or null if the click hit none. */
  readonly onSelect: (key: string | null) => void;
}

/** Draws a map into an element until the signal aborts. Rejects if the shapes can't be loaded or WebGL is missing. */
export async function createProviderMap(
  container: HTMLElement,
  { attribution, onSelect, tileUrl }: ProviderMapOptions,
  signal: AbortSignal,
): Promise<ProviderMap> {
  const states = await loadStates();
  signal.throwIfAborted();
  setWorkerUrl(new URL(workerUrl, location.href).href);
  const map = new MapLibreMap({
    container,
    style: mapStyle(states, mapColors(), tileUrl),
    bounds: [...boundsOf([], null)],
    fitBoundsOptions: { padding: PADDING },
    minZoom: 1,
    maxZoom: maxZoomFor(tileUrl !== null),
    attributionControl: false,
    // Scrolling moves the page, not the map. Rotating the map would show nothing more.
    cooperativeGestures: true,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    renderWorldCopies: false,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), "top-right");
  map.addControl(
    new AttributionControl({
      compact: false,
      customAttribution:
        tileUrl === null
          ? "Shapes: U.S. Census Bureau"
          : asHtml(attribution ?? `Tiles: ${new URL(tileUrl).host}`),
    }),
  );
  const endTheme = onThemeChange(() => recolor(map, tileUrl !== null));
  signal.addEventListener("abort", () => {
    endTheme();
    map.remove();
  });
  map.on("click", (event) => void select(map, event.point, onSelect));
  for (const layer of [POINTS, "counts"]) {
    map.on("mouseenter", layer, () => setCursor(map, "pointer"));
    map.on("mouseleave", layer, () => setCursor(map, ""));
  }
  map.on("idle", () => describe(map));
  if (tileUrl === null) addCountiesWhenZoomed(map);
  await map.once("load");
  signal.throwIfAborted();
  return {
    show(points, circle, includesCountry) {
      void sourceOf(map, POINTS)?.setData(pointsData(points));
      void sourceOf(map, CIRCLE)?.setData(circleData(circle));
      const [west, south, east, north] = boundsOf(
        points,
        circle,
        includesCountry,
      );
      map.resize();
      map.fitBounds([west, south, east, north], {
        padding: PADDING,
        animate: false,
      });
    },
  };
}

/** The library treats the attribution as HTML. */
function asHtml(text: string): string {
  const element = document.createElement("span");
  element.textContent = text;
  return element.innerHTML;
}

/** A click selects a single point, and zooms into a cluster. */
async function select(
  map: MapLibreMap,
  at: { readonly x: number; readonly y: number },
  onSelect: ProviderMapOptions["onSelect"],
): Promise<void> {
  const [feature] = map.queryRenderedFeatures([at.x, at.y], {
    layers: [POINTS],
  });
  if (feature === undefined) return onSelect(null);
  const { cluster_id: cluster, key } = feature.properties;
  if (typeof key === "string") return onSelect(key);
  const { geometry } = feature;
  if (geometry.type !== "Point") return undefined;
  const [lng = 0, lat = 0] = geometry.coordinates;
  const zoom = await sourceOf(map, POINTS)
    ?.getClusterExpansionZoom(Number(cluster))
    .catch(() => undefined);
  onSelect(null);
  if (zoom !== undefined) map.easeTo({ center: [lng, lat], zoom });
  return undefined;
}

/** Describes the visible points to screen readers. */
function describe(map: MapLibreMap): void {
  const drawn = new Map<unknown, number>();
  // A point at the edge of a tile is drawn in both tiles.
  for (const { properties } of map.queryRenderedFeatures({ layers: [POINTS] }))
    drawn.set(
      properties["key"] ?? properties["cluster_id"],
      Number(properties["count"]),
    );
  const sum = [...drawn.values()].reduce((total, count) => total + count, 0);
  const circles = drawn.size === 1 ? "circle" : "circles";
  map.getCanvas().ariaLabel = `Map: ${providerCount(sum)} in ${drawn.size} ${circles}`;
}

function addCountiesWhenZoomed(map: MapLibreMap): void {
  map.on("zoomend", onZoom);

  function onZoom(): void {
    if (map.getZoom() < COUNTY_ZOOM) return;
    map.off("zoomend", onZoom);
    // The map is usable with states only.
    addCounties(map).catch(() => undefined);
  }
}

async function addCounties(map: MapLibreMap): Promise<void> {
  const { borders, names } = await loadCounties();
  await sourceOf(map, COUNTIES)?.setData(borders);
  await sourceOf(map, COUNTY_NAMES)?.setData(names);
}

function recolor(map: MapLibreMap, hasTiles: boolean): void {
  for (const { id, paint = {} } of layers(mapColors(), hasTiles)) {
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
