import { rasterLayers, TILES, type MapTiles } from "./tiles.ts";

/** The closest zoom of raster tiles by URL, which don't say how far they go: streets. */
const RASTER_MAX_ZOOM = 17;

/**
 * Opens the tiles at a URL with `{z}`, `{x}` and `{y}`, or in a PMTiles archive at a URL. Rejects if an archive can't
 * be read.
 */
export async function openTiles(
  url: string,
  attribution: string | null,
): Promise<MapTiles> {
  const credit = attribution ?? `Tiles: ${new URL(url, location.href).host}`;
  if (url.includes("{z}"))
    return {
      sources: { [TILES]: { type: "raster", tiles: [url], tileSize: 256 } },
      maxZoom: RASTER_MAX_ZOOM,
      attribution: credit,
      layers: rasterLayers,
    };
  const { openArchive } = await import("./tile-archive.ts");
  const archive = await openArchive(new URL(url, location.href).href);
  return {
    ...archive,
    attribution: attribution ?? archive.attribution ?? credit,
  };
}
