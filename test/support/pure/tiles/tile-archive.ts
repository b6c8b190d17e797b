/** A small PMTiles archive (version 3), in which one tile covers the world. */

import { gzipSync } from "node:zlib";
import { encodeVectorTile, varints, type TileFeature } from "./vector-tile.ts";

export interface ArchiveParts {
  /** What the tile has: features by the name of their layer, or a picture. */
  readonly tile: Readonly<Record<string, readonly TileFeature[]>> | Buffer;
  readonly attribution?: string;
  /** True if its parts are compressed, with gzip. */
  readonly isPacked?: boolean;
}

const HEADER_BYTES = 127;
const NO_COMPRESSION = 1;
const GZIP = 2;
const VECTOR = 1;
const PNG = 2;
/** Coordinates are in ten millionths of a degree. */
const DEGREE = 1e7;
const WORLD = [-180, -85, 180, 85];

export function tileArchive({
  attribution,
  isPacked = false,
  tile,
}: ArchiveParts): Buffer {
  const pack = (part: Buffer) => (isPacked ? gzipSync(part) : part);
  const isPicture = Buffer.isBuffer(tile);
  const content = pack(isPicture ? tile : encodeVectorTile(tile));
  const layers = isPicture ? [] : Object.keys(tile);
  const metadata = pack(
    Buffer.from(
      JSON.stringify({
        ...(attribution !== undefined && { attribution }),
        vector_layers: layers.map((id) => ({ id, fields: {} })),
      }),
    ),
  );
  // One entry: tile 0, one time, of this length, at the start (stored as 1).
  const root = pack(varints(1, 0, 1, content.length, 1));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("PMTiles\u0003", "latin1");
  const rootAt = HEADER_BYTES;
  const metadataAt = rootAt + root.length;
  const tilesAt = metadataAt + metadata.length;
  const places = [
    [rootAt, root.length],
    [metadataAt, metadata.length],
    [tilesAt, 0],
    [tilesAt, content.length],
  ].flat();
  const counts = [1, 1, 1];
  for (const [index, value] of [...places, ...counts].entries())
    header.writeBigUInt64LE(BigInt(value), 8 + 8 * index);
  const compression = isPacked ? GZIP : NO_COMPRESSION;
  header.set([1, compression, compression, isPicture ? PNG : VECTOR, 0, 0], 96);
  for (const [index, degrees] of WORLD.entries())
    header.writeInt32LE(degrees * DEGREE, 102 + 4 * index);
  return Buffer.concat([header, root, metadata, content]);
}
