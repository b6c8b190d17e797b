import type { AddProtocolAction } from "maplibre-gl";
import { PMTiles, TileType, type Header } from "pmtiles";
import { ArchiveSource } from "./archive-source.ts";
import { rasterLayers, TILES, type MapTiles } from "./tiles.ts";
import { AREA, vectorLayers } from "./vector-layers.ts";

/** The zooms beyond its last tiles at which a vector map is still worth drawing. */
const OVERZOOM = 2;
/** The closest zoom of raster tiles by URL, which don't say how far they go: streets. */
const RASTER_MAX_ZOOM = 17;
const PICTURES: ReadonlySet<TileType> = new Set([
  TileType.Png,
  TileType.Jpeg,
  TileType.Webp,
  TileType.Avif,
]);

/** Tiles of an archive; it may have no credit. */
type ArchiveTiles = Omit<MapTiles, "attribution"> & {
  readonly attribution: string | null;
};

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
  const archive = await openArchive(new URL(url, location.href).href);
  return {
    ...archive,
    attribution: attribution ?? archive.attribution ?? credit,
  };
}

/** Opens the PMTiles archive at a URL. Rejects if it can't be read, or has layers that this map can't draw. */
async function openArchive(url: string): Promise<ArchiveTiles> {
  const archive = new PMTiles(new ArchiveSource(url));
  const [header, metadata] = await Promise.all([
    archive.getHeader(),
    archive.getMetadata(),
  ]);
  const { maxZoom, minZoom, tileType } = header;
  const facts = { attribution: creditIn(metadata), load: loaderOf(archive) };
  const source = {
    tiles: [`${TILES}://{z}/{x}/{y}`],
    minzoom: minZoom,
    maxzoom: maxZoom,
    bounds: boundsOf(header),
  };
  if (PICTURES.has(tileType))
    return {
      ...facts,
      sources: { [TILES]: { type: "raster", tileSize: 256, ...source } },
      maxZoom,
      layers: rasterLayers,
    };
  if (tileType !== TileType.Mvt)
    throw new Error("The archive has neither vector tiles nor pictures.");
  const layers = vectorLayers(layerNamesIn(metadata), minZoom);
  if (layers === null)
    throw new Error(
      "The archive has neither the layers of Protomaps nor of OpenMapTiles.",
    );
  return {
    ...facts,
    sources: {
      [AREA]: { type: "geojson", data: rectangleOf(header) },
      [TILES]: { type: "vector", ...source },
    },
    maxZoom: maxZoom + OVERZOOM,
    layers,
  };
}

function loaderOf(archive: PMTiles): AddProtocolAction {
  return async ({ url }, { signal }) => {
    const [z = 0, x = 0, y = 0] = url
      .slice(`${TILES}://`.length)
      .split("/")
      .map(Number);
    const tile = await archive.getZxy(z, x, y, signal);
    // The sea and other empty places have no tile.
    return { data: tile?.data ?? new ArrayBuffer(0) };
  };
}

/** Reads the archive's credit as text: it is HTML, and comes from someone else. */
function creditIn(metadata: unknown): string | null {
  const credit = memberOf(metadata, "attribution");
  if (typeof credit !== "string") return null;
  const page = new DOMParser().parseFromString(credit, "text/html");
  return page.body.textContent.trim() || null;
}

function layerNamesIn(metadata: unknown): string[] {
  const layers = memberOf(metadata, "vector_layers");
  return Array.isArray(layers)
    ? layers.map((layer) => String(memberOf(layer, "id")))
    : [];
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Reflect.get(value, name)
    : undefined;
}

/** Returns west, south, east, north. */
function boundsOf({
  maxLat,
  maxLon,
  minLat,
  minLon,
}: Header): [number, number, number, number] {
  return [minLon, minLat, maxLon, maxLat];
}

function rectangleOf(header: Header): GeoJSON.Feature {
  const [west, south, east, north] = boundsOf(header);
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return {
    type: "Feature",
    properties: {},
    geometry: { type: "Polygon", coordinates: [corners] },
  };
}
