import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";

export interface ZipEntry {
  name: string;
  /** A generator where it is too much to hold: its pieces. */
  content: string | Uint8Array | Generator<Uint8Array>;
  /** False for an entry that is stored. */
  compress?: boolean;
  zip64?: boolean;
}

/** The bytes of a zip with these entries. */
export async function zipBytes(entries: readonly ZipEntry[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { name, content, compress = true, zip64 = false } of entries) {
    const options = {
      compress,
      forceZip64Format: zip64,
      mtime: new Date(2024, 0, 8),
    };
    if (typeof content === "string" || content instanceof Uint8Array)
      zip.addBuffer(Buffer.from(content), name, options);
    else zip.addReadStream(Readable.from(content), name, options);
  }
  zip.end();
  return await buffer(zip.outputStream);
}
