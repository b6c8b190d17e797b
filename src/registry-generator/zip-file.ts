import type { FileHandle } from "node:fs/promises";
import { crc32, createDeflateRaw, type DeflateRaw } from "node:zlib";

/**
 * Writes a zip file entry by entry (PKWARE APPNOTE 6.3): deflate, ZIP64 sizes in every local header, because an entry's
 * size is known at its end only and may pass 4 GB. The sizes are filled in then, so the file can also be read as a stream.
 */

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_CENTRAL = 0x06054b50;
const ZIP64_END = 0x06064b50;
const ZIP64_LOCATOR = 0x07064b50;
const ZIP64_EXTRA = 1;
const VERSION_ZIP64 = 45;
const DEFLATED = 8;
const UTF8_NAME = 0x0800;
const FULL_32 = 0xffff_ffff;
const FULL_16 = 0xffff;
const LOCAL_BYTES = 30;
const LOCAL_EXTRA_BYTES = 20;
const CRC_AT = 14;
/** Ordinary file, readable by all, for Unix. */
const MADE_BY_UNIX = (3 << 8) | VERSION_ZIP64;
const FILE_MODE = 0o100644 * 0x1_0000;

/** Nearly as small as level 6, at more than half as much speed again: about as fast as the rows are made. */
const LEVEL = 4;
const DEFLATE_CHUNK_BYTES = 1 << 18;

interface Entry {
  name: Buffer;
  offset: number;
  crc: number;
  bytes: number;
  packedBytes: number;
}

export class ZipFile {
  readonly #file: FileHandle;
  readonly #date: number;
  readonly #entries: Entry[] = [];
  #position = 0;

  /** Writes to `file` from its beginning. `day` (days since 1970-01-01) is the date that the entries bear. */
  constructor(file: FileHandle, day: number) {
    this.#file = file;
    this.#date = dosDate(day);
  }

  /** Bytes of the zip so far. */
  get position(): number {
    return this.#position;
  }

  /** Adds an entry with what `pieces` yields. A piece must stay as it is until the one after the next is asked for. */
  async add(name: string, pieces: Iterable<Uint8Array>): Promise<void> {
    const entry: Entry = {
      name: Buffer.from(name),
      offset: this.#position,
      crc: 0,
      bytes: 0,
      packedBytes: 0,
    };
    await this.#append(this.#localHeader(entry));
    const start = this.#position;
    const deflate = createDeflateRaw({
      level: LEVEL,
      chunkSize: DEFLATE_CHUNK_BYTES,
    });
    // When the disk fails the stream is destroyed, and feeding fails for that reason; so draining is asked first.
    const [drained, fed] = await Promise.allSettled([
      this.#drain(deflate),
      feed(deflate, entry, pieces),
    ]);
    if (drained.status === "rejected") throw drained.reason;
    if (fed.status === "rejected") throw fed.reason;
    entry.packedBytes = this.#position - start;
    await writeAll(this.#file, this.#localHeader(entry), entry.offset);
    this.#entries.push(entry);
  }

  /** Writes the directory that makes the file a zip. */
  async finish(): Promise<void> {
    const start = this.#position;
    for (const entry of this.#entries)
      await this.#append(this.#centralHeader(entry));
    await this.#append(
      endOfCentral(this.#entries.length, start, this.#position - start),
    );
  }

  async #drain(deflate: DeflateRaw): Promise<void> {
    for await (const packed of deflate) {
      if (packed instanceof Uint8Array) await this.#append(packed);
    }
  }

  async #append(bytes: Uint8Array): Promise<void> {
    await writeAll(this.#file, bytes, this.#position);
    this.#position += bytes.length;
  }

  #localHeader(entry: Entry): Buffer {
    const header = Buffer.alloc(
      LOCAL_BYTES + entry.name.length + LOCAL_EXTRA_BYTES,
    );
    header.writeUInt32LE(LOCAL_HEADER, 0);
    header.writeUInt16LE(VERSION_ZIP64, 4);
    header.writeUInt16LE(UTF8_NAME, 6);
    header.writeUInt16LE(DEFLATED, 8);
    header.writeUInt16LE(this.#date, 12);
    header.writeUInt32LE(entry.crc, CRC_AT);
    header.writeUInt32LE(FULL_32, 18);
    header.writeUInt32LE(FULL_32, 22);
    header.writeUInt16LE(entry.name.length, 26);
    header.writeUInt16LE(LOCAL_EXTRA_BYTES, 28);
    entry.name.copy(header, LOCAL_BYTES);
    const extra = LOCAL_BYTES + entry.name.length;
    header.writeUInt16LE(ZIP64_EXTRA, extra);
    header.writeUInt16LE(LOCAL_EXTRA_BYTES - 4, extra + 2);
    header.writeBigUInt64LE(BigInt(entry.bytes), extra + 4);
    header.writeBigUInt64LE(BigInt(entry.packedBytes), extra + 12);
    return header;
  }

  /** Only the sizes that do not fit 32 bits go to the ZIP64 part, as the standard asks. */
  #centralHeader(entry: Entry): Buffer {
    const large = [entry.bytes, entry.packedBytes, entry.offset].filter(
      (size) => size >= FULL_32,
    );
    const extraBytes = large.length === 0 ? 0 : 4 + large.length * 8;
    const header = Buffer.alloc(46 + entry.name.length + extraBytes);
    header.writeUInt32LE(CENTRAL_HEADER, 0);
    header.writeUInt16LE(MADE_BY_UNIX, 4);
    header.writeUInt16LE(VERSION_ZIP64, 6);
    header.writeUInt16LE(UTF8_NAME, 8);
    header.writeUInt16LE(DEFLATED, 10);
    header.writeUInt16LE(this.#date, 14);
    header.writeUInt32LE(entry.crc, 16);
    header.writeUInt32LE(Math.min(entry.packedBytes, FULL_32), 20);
    header.writeUInt32LE(Math.min(entry.bytes, FULL_32), 24);
    header.writeUInt16LE(entry.name.length, 28);
    header.writeUInt16LE(extraBytes, 30);
    header.writeUInt32LE(FILE_MODE, 38);
    header.writeUInt32LE(Math.min(entry.offset, FULL_32), 42);
    entry.name.copy(header, 46);
    if (extraBytes === 0) return header;
    let at = 46 + entry.name.length;
    header.writeUInt16LE(ZIP64_EXTRA, at);
    header.writeUInt16LE(extraBytes - 4, at + 2);
    at += 4;
    for (const size of large) at = header.writeBigUInt64LE(BigInt(size), at);
    return header;
  }
}

function endOfCentral(entries: number, start: number, bytes: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END_OF_CENTRAL, 0);
  end.writeUInt16LE(Math.min(entries, FULL_16), 8);
  end.writeUInt16LE(Math.min(entries, FULL_16), 10);
  end.writeUInt32LE(Math.min(bytes, FULL_32), 12);
  end.writeUInt32LE(Math.min(start, FULL_32), 16);
  if (start < FULL_32) return end;
  const large = Buffer.alloc(76);
  large.writeUInt32LE(ZIP64_END, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(MADE_BY_UNIX, 12);
  large.writeUInt16LE(VERSION_ZIP64, 14);
  large.writeBigUInt64LE(BigInt(entries), 24);
  large.writeBigUInt64LE(BigInt(entries), 32);
  large.writeBigUInt64LE(BigInt(bytes), 40);
  large.writeBigUInt64LE(BigInt(start), 48);
  large.writeUInt32LE(ZIP64_LOCATOR, 56);
  large.writeBigUInt64LE(BigInt(start + bytes), 64);
  large.writeUInt32LE(1, 72);
  return Buffer.concat([large, end]);
}

/** Writes all of `bytes` at a place of the file; a file system may take a part at a time. */
export async function writeAll(
  file: FileHandle,
  bytes: Uint8Array,
  position: number,
): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(
      bytes,
      done,
      bytes.length - done,
      position + done,
    );
    done += bytesWritten;
  }
}

/** Gives the pieces to `deflate`, one being deflated in another thread while the next is made. */
async function feed(
  deflate: DeflateRaw,
  entry: Entry,
  pieces: Iterable<Uint8Array>,
): Promise<void> {
  try {
    let last: Promise<Error | null> = Promise.resolve(null);
    for (const piece of pieces) {
      entry.crc = crc32(piece, entry.crc);
      entry.bytes += piece.length;
      const next = written(deflate, piece);
      await throwIfFailed(last);
      last = next;
    }
    await throwIfFailed(last);
    deflate.end();
  } catch (error) {
    deflate.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  }
}

async function throwIfFailed(result: Promise<Error | null>): Promise<void> {
  const error = await result;
  if (error !== null) throw error;
}

function written(
  deflate: DeflateRaw,
  piece: Uint8Array,
): Promise<Error | null> {
  return new Promise((resolve) => {
    deflate.write(piece, (error) => resolve(error ?? null));
  });
}

/** A date as MS-DOS kept it: years from 1980 in 7 bits, month in 4, day in 5. */
function dosDate(day: number): number {
  const date = new Date(day * 86_400_000);
  return (
    ((date.getUTCFullYear() - 1980) << 9) |
    ((date.getUTCMonth() + 1) << 5) |
    date.getUTCDate()
  );
}
