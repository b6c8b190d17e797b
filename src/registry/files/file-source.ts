import { read } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import {
  crc32,
  createInflateRaw,
  type InflateRaw,
  type ZlibOptions,
} from "node:zlib";
import { readFirstRow } from "../../text/csv-text.ts";
import {
  damagedZip,
  RegistryFileError,
  unreadable,
} from "./registry-file-error.ts";
import { joined, NumberMask } from "./social-security-numbers.ts";

/** Bytes per read. */
const CHUNK_BYTES = 1 << 20;

/**
 * Large output chunks inflate twice as fast as Node's 16 KB. The thread pool inflates one while another is scanned, and
 * each one wakes two threads: with 1 MB, an import takes 5 % longer, and with 3 MB it misses the processor's cache.
 */
const INFLATE_OPTIONS: ZlibOptions & { readableHighWaterMark: number } = {
  chunkSize: 2 << 20,
  readableHighWaterMark: 8 << 20,
};

/** A header has about 12 KB. A longer first line is not a header. */
const MAX_HEADER_BYTES = 1 << 20;

const readAt = promisify(read);

/** The range of a CSV or workbook in an open file: plain data, so a thread can read a file that another one opened. */
export interface FileRange {
  /** The path of the opened file, for messages. */
  readonly path: string;
  /** The descriptor, which must stay open while the range is read. */
  readonly fd: number;
  /** First byte and length of the range; compressed in a zip. */
  readonly start: number;
  readonly bytesTotal: number;
  /** Name without folders: that of the zip entry, or of the file. */
  readonly name: string;
  readonly content: "csv" | "workbook";
  /** The facts of the zip's directory about it; null for a file outside a zip. */
  readonly entry: {
    readonly isDeflated: boolean;
    readonly bytes: number;
    readonly crc32: number;
  } | null;
}

/** The content of a registry file, decompressed while it is read. */
export class FileSource {
  readonly range: FileRange;
  /** Bytes of content read so far, and their CRC-32. */
  contentBytesRead = 0;
  checksum = 0;
  /** Social Security numbers masked so far in the CSV. */
  maskedNumbers = 0;
  #inflate: InflateRaw | undefined;

  constructor(range: FileRange) {
    this.range = range;
  }

  /** Name without folders: that of the zip entry, or of the file. */
  get name(): string {
    return this.range.name;
  }

  /** Length of the content, uncompressed. */
  get contentBytes(): number {
    return this.range.entry?.bytes ?? this.range.bytesTotal;
  }

  /** Bytes of the range's `bytesTotal` read so far. */
  get bytesRead(): number {
    return (
      this.#inflate?.bytesWritten ??
      Math.min(this.contentBytesRead, this.range.bytesTotal)
    );
  }

  /** Reads the content from the start. Throws RegistryFileError if it is damaged, possibly only at the end. */
  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    const { bytesTotal, entry, path } = this.range;
    this.contentBytesRead = 0;
    this.checksum = 0;
    this.#inflate = undefined;
    const stored = readRange(this.range);
    const content =
      entry?.isDeflated === true ? this.#inflated(stored) : stored;
    for await (const chunk of content) {
      this.contentBytesRead += chunk.length;
      if (entry !== null && this.contentBytesRead > entry.bytes)
        throw damagedZip(path, "an entry is longer than its header says");
      this.checksum = crc32(chunk, this.checksum);
      yield chunk;
    }
    if (entry === null) {
      if (this.contentBytesRead === bytesTotal) return;
      throw new RegistryFileError(
        `${path} was truncated while it was read. Import it again when it is complete.`,
      );
    }
    if (this.contentBytesRead < entry.bytes)
      throw damagedZip(path, "an entry is shorter than its header says");
    if (this.checksum !== entry.crc32)
      throw damagedZip(path, "its content does not match its checksum");
  }

  async *#inflated(
    packed: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const inflate = createInflateRaw(INFLATE_OPTIONS);
    this.#inflate = inflate;
    const flow = pipeline(
      Readable.from(packed, { objectMode: false }),
      inflate,
    );
    // Errors in the pipeline also fail the loop below, which throws them.
    flow.catch(() => {});
    try {
      for await (const chunk of inflate) {
        if (!(chunk instanceof Uint8Array))
          throw new TypeError("zlib hands out bytes");
        yield chunk;
      }
    } catch (error) {
      if (!isZlibError(error)) throw error;
      throw damagedZip(
        this.range.path,
        "its content cannot be decompressed",
        error,
      );
    } finally {
      inflate.destroy();
      await Promise.allSettled([flow]);
    }
  }
}

/** Receives the bytes after a header: in chunks of any size, then the end. */
interface CsvReader {
  push(chunk: Uint8Array): void;
  end(): void;
}

/**
 * Feeds a CSV to the reader that `begin` creates from its header: the column names, and the physical line, from 1, of
 * the first row. Social Security numbers are masked, also in the names. Calls `onChunk` after each chunk. Throws
 * RegistryFileError if the file is broken. Aborting `signal` stops it within two megabytes and throws the signal's
 * reason.
 */
export async function scanCsv<Reader extends CsvReader>(
  source: FileSource,
  begin: (names: readonly string[], line: number) => Reader,
  onChunk?: (reader: Reader) => void,
  signal?: AbortSignal,
): Promise<Reader> {
  const chunks = maskedChunks(source);
  try {
    let bytes = new Uint8Array(0);
    let reader: Reader | null = null;
    while (reader === null) {
      const chunk = await chunks.next();
      if (chunk.done !== true) bytes = joined(bytes, chunk.value);
      const first = readFirstRow(bytes, chunk.done === true);
      if (first !== null) {
        reader = begin(first.cells, first.nextLine);
        reader.push(bytes.subarray(first.next));
      } else if (bytes.length > MAX_HEADER_BYTES)
        throw new RegistryFileError(
          `${source.range.path} is not a CSV file: its first line does not end. Give the registry's zip or CSV.`,
        );
    }
    onChunk?.(reader);
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      reader.push(chunk);
      onChunk?.(reader);
    }
    reader.end();
    return reader;
  } finally {
    await chunks.return();
  }
}

/** Masks the content's Social Security numbers, and counts them in the source. A chunk is valid until the next one. */
async function* maskedChunks(
  source: FileSource,
): AsyncGenerator<Uint8Array, void, undefined> {
  const mask = new NumberMask();
  source.maskedNumbers = 0;
  for await (const chunk of source.chunks()) {
    const ready = mask.push(chunk);
    source.maskedNumbers = mask.count;
    yield ready;
    free(chunk);
  }
  const rest = mask.end();
  source.maskedNumbers = mask.count;
  yield rest;
}

/**
 * Frees a chunk that has its memory to itself. Otherwise the collector of garbage runs for every few dozen chunks, and
 * the next one is fresh memory.
 */
function free({ buffer, length }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && length === buffer.byteLength)
    buffer.transfer(0);
}

/** Reads a range one chunk ahead of the consumer. Stops early if the file ends. */
async function* readRange({
  bytesTotal,
  fd,
  path,
  start,
}: FileRange): AsyncGenerator<Uint8Array, void, undefined> {
  const end = start + bytesTotal;
  let at = start;
  let pending = readChunk(at);
  try {
    for (;;) {
      const chunk = await pending;
      if (chunk.length === 0) return;
      at += chunk.length;
      pending = readChunk(at);
      // Errors are thrown by the await above. They must not count as unhandled if the consumer stops earlier.
      pending.catch(() => {});
      yield chunk;
    }
  } finally {
    // The file must not be closed during a read.
    await Promise.allSettled([pending]);
  }

  async function readChunk(from: number): Promise<Uint8Array> {
    const length = Math.min(CHUNK_BYTES, end - from);
    if (length <= 0) return new Uint8Array(0);
    try {
      // Slow buffers have their memory to themselves, not a slice of Node's shared pool.
      const { buffer, bytesRead } = await readAt(
        fd,
        Buffer.allocUnsafeSlow(length),
        0,
        length,
        from,
      );
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      throw unreadable(path, error);
    }
  }
}

function isZlibError(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    String(error.code).startsWith("Z_")
  );
}
