import type {
  AddProtocolAction,
  LayerSpecification,
  SourceSpecification,
} from "maplibre-gl";
import type { MapColors } from "./map-colors.ts";

/** The source of the operator's tiles, and the scheme of URLs that `load` understands. */
export const TILES = "tiles";

/** Tiles of the operator's choice. */
export interface MapTiles {
  readonly sources: Readonly<Record<string, SourceSpecification>>;
  /** The closest zoom at which they have more detail. */
  readonly maxZoom: number;
  /** Credit for the tiles, as text. */
  readonly attribution: string;
  layers(colors: MapColors): LayerSpecification[];
  /** Loads one tile, for sources whose URLs have the scheme `tiles`. */
  readonly load?: AddProtocolAction;
}

/** Tiles that are pictures. */
export function rasterLayers(): LayerSpecification[] {
  return [{ id: TILES, type: "raster", source: TILES }];
}
