import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { ZipFile } from "yazl";

/** 7 % larger than by level 4, and made in a tenth less time: about as fast as the rows are. */
const COMPRESSION_LEVEL = 3;

export interface ZipEntry {
  name: string;
  /** Some six pieces are on their way at a time, and must stay as they are. */
  chunks: Iterable<Uint8Array>;
}

/**
 * Writes a zip to a file that is open and empty, entry by entry, each deflated as its pieces are made. `day` is the ISO
 * date that the entries bear. Throws what the pieces throw, and the file system's own errors.
 */
export async function writeZip(
  file: FileHandle,
  day: string,
  entries: Iterable<ZipEntry>,
): Promise<void> {
  const zip = new ZipFile();
  const { outputStream } = zip;
  if (!(outputStream instanceof Readable))
    throw new TypeError("yazl hands out a stream that can be destroyed");
  const options = {
    compressionLevel: COMPRESSION_LEVEL,
    mode: 0o100644,
    // Zips keep local time; so the same rows are the same bytes in every time zone.
    mtime: new Date(`${day}T12:00:00`),
    forceDosTimestamp: true,
  };
  using sources = new DisposableStack();
  for (const { name, chunks } of entries) {
    const source = sources.adopt(
      Readable.from(chunks, { objectMode: false }),
      (each) => each.destroy(),
    );
    // yazl leaves the errors of sources to those who made them.
    source.on("error", (error) => outputStream.destroy(error));
    zip.addReadStream(source, name, options);
  }
  zip.end();
  await file.writeFile(outputStream);
}
