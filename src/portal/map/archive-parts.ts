import { Compression, FetchSource, type RangeResponse } from "pmtiles";

/**
 * The longest part of an archive (directory, description, or tile), compressed or not, in bytes. Real ones are far
 * shorter; half a megabyte can unpack to hundreds.
 */
const MAX_PART_BYTES = 2 ** 22;

/** How much is unpacked at once, packed: browsers unpack what they get as a whole, to a thousand times its length. */
const SLICE_BYTES = 2 ** 14;

/** An archive at a URL, of which no long part is loaded. */
export class ArchiveSource extends FetchSource {
  override async getBytes(
    offset: number,
    length: number,
    signal?: AbortSignal,
    etag?: string,
  ): Promise<RangeResponse> {
    if (length > MAX_PART_BYTES) throw tooLong();
    return super.getBytes(offset, length, signal, etag);
  }
}

/** Unpacks a part of an archive. Rejects as soon as it is too long. */
export async function unpack(
  packed: ArrayBuffer,
  compression: Compression,
): Promise<ArrayBuffer> {
  if (compression === Compression.None || compression === Compression.Unknown)
    return packed;
  if (compression !== Compression.Gzip)
    throw new Error("The archive isn't compressed with gzip.");
  let length = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      length += piece.length;
      if (length > MAX_PART_BYTES) throw tooLong();
      controller.enqueue(piece);
    },
  });
  const unpacked = slicesOf(packed)
    .pipeThrough(new DecompressionStream("gzip"))
    .pipeThrough(limit);
  return new Response(unpacked).arrayBuffer();
}

function slicesOf(
  packed: ArrayBuffer,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= packed.byteLength) controller.close();
      else
        controller.enqueue(
          new Uint8Array(packed.slice(at, (at += SLICE_BYTES))),
        );
    },
  });
}

function tooLong(): Error {
  return new Error("A part of the archive is too long.");
}
