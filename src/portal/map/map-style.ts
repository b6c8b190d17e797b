import type { LayerSpecification, StyleSpecification } from "maplibre-gl";
import { BASE_SOURCES, groundLayers, nameLayers } from "./base-layers.ts";
import type { MapColors } from "./map-colors.ts";
import { circleLayers, pointLayers, pointSources } from "./point-layers.ts";
import type { MapTiles } from "./tiles.ts";

/** Closer, the built-in shapes would be coarse lines. It is close enough to separate a city's ZIP codes. */
const MAX_ZOOM = 12;

/** Returns the closest zoom: where neither the tiles nor the built-in shapes have more detail. */
export function maxZoomFor(tiles: MapTiles | null): number {
  return Math.max(MAX_ZOOM, tiles?.maxZoom ?? 0);
}

/** Makes the style of the whole map. Points, circle, counties, and cities are filled in later. */
export function mapStyle(
  colors: MapColors,
  tiles: MapTiles | null,
): StyleSpecification {
  return {
    version: 8,
    sources: {
      ...BASE_SOURCES,
      ...tiles?.sources,
      ...pointSources(maxZoomFor(tiles)),
    },
    layers: mapLayers(colors, tiles),
    // Names don't fade in: a redrawn map costs more than it pleases.
    transition: { duration: 0 },
  };
}

/** Lists all layers in the colors of a theme, bottom to top. */
export function mapLayers(
  colors: MapColors,
  tiles: MapTiles | null,
): LayerSpecification[] {
  return [
    ...groundLayers(colors),
    ...(tiles?.layers(colors) ?? []),
    ...circleLayers(colors),
    // Tiles have their own names.
    ...(tiles === null ? nameLayers(colors) : []),
    ...pointLayers(colors),
  ];
}
