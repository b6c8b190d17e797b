import {
  closeSync,
  fstatSync,
  openSync,
  readSync,
  statSync,
  type BigIntStats,
} from "node:fs";
import { open, type FileHandle } from "node:fs/promises";

const MAGIC = "PMTiles";
const FORMAT_VERSION = 3;
const HEADER_BYTES = 127;
/** The places in the header of the start and the length of the tiles. */
const TILES_AT = 56;
const TILES_LENGTH_AT = 64;

function headerProblem(header: Buffer, size: bigint): string | null {
  if (header.toString("latin1", 0, MAGIC.length) !== MAGIC)
    return "it is not a PMTiles archive";
  if (header.length < HEADER_BYTES) return "it is cut off";
  const version = header.readUInt8(MAGIC.length);
  if (version !== FORMAT_VERSION)
    return `it has version ${version} of the PMTiles format instead of ${FORMAT_VERSION}`;
  const end =
    header.readBigUInt64LE(TILES_AT) + header.readBigUInt64LE(TILES_LENGTH_AT);
  return end > size ? "it is cut off" : null;
}

/** One version of an archive, open for reading. */
export interface OpenTileFile {
  readonly handle: FileHandle;
  /** In bytes. */
  readonly size: number;
  readonly version: string;
}

/** An archive of tiles on this machine, which the operator may replace at any time. */
export class TileFile {
  /** Returns the file that the setting of tiles names; null if it is a URL, or not set. */
  static of(tiles: string | null): TileFile | null {
    return tiles === null || URL.canParse(tiles) ? null : new TileFile(tiles);
  }

  readonly #path: string;
  #checked: { version: string; isUsable: boolean } | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns what is wrong with the file, as a clause ("it is …"); null for nothing. */
  problem(): string | null {
    try {
      // Opening a pipe would wait for a writer.
      if (!statSync(this.#path).isFile()) return "it is not a file";
      const descriptor = openSync(this.#path, "r");
      try {
        const { size } = fstatSync(descriptor);
        const header = Buffer.alloc(HEADER_BYTES);
        const length = readSync(descriptor, header, 0, HEADER_BYTES, 0);
        return headerProblem(header.subarray(0, length), BigInt(size));
      } finally {
        closeSync(descriptor);
      }
    } catch (error) {
      return `it can't be read (${error instanceof Error ? error.message : String(error)})`;
    }
  }

  /** Identifies the file as it is now; null if it can't be used. Reads only what has changed since the last call. */
  version(): string | null {
    try {
      const version = versionOf(statSync(this.#path, { bigint: true }));
      if (this.#checked?.version !== version) {
        const isUsable = this.problem() === null;
        this.#checked = { version, isUsable };
      }
      return this.#checked.isUsable ? version : null;
    } catch {
      return null;
    }
  }

  /** Opens the file as it is now; null if it can't be used. The caller closes it. */
  async open(): Promise<OpenTileFile | null> {
    if (this.version() === null) return null;
    const handle = await open(this.#path, "r");
    try {
      const stats = await handle.stat({ bigint: true });
      return { handle, size: Number(stats.size), version: versionOf(stats) };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }
}

/** Changes with each replacement, also by a file of the same length. */
function versionOf({ ino, mtimeNs, size }: BigIntStats): string {
  return [size, mtimeNs, ino].map((part) => part.toString(36)).join("-");
}
