import type { LayerSpecification, SourceSpecification } from "maplibre-gl";
import type { MapColors } from "./map-colors.ts";

/** The source of the operator's tiles. */
export const TILES = "tiles";

/** The closest zoom of raster tiles by URL, which don't say how far they go: streets. */
const RASTER_MAX_ZOOM = 17;

/** Tiles of the operator's choice. */
export interface MapTiles {
  readonly source: SourceSpecification;
  readonly maxZoom: number;
  /** Credit for the tiles, as text. */
  readonly attribution: string;
  layers(colors: MapColors): LayerSpecification[];
}

/** Opens the tiles at a URL with `{z}`, `{x}` and `{y}`. */
export function openTiles(url: string, attribution: string | null): MapTiles {
  return {
    source: { type: "raster", tiles: [url], tileSize: 256 },
    maxZoom: RASTER_MAX_ZOOM,
    attribution: attribution ?? `Tiles: ${new URL(url).host}`,
    layers: () => [{ id: TILES, type: "raster", source: TILES }],
  };
}
