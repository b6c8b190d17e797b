import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";

export interface ZipEntry {
  name: string;
  content: string | Uint8Array;
  /** False for an entry that is stored. */
  compress?: boolean;
  zip64?: boolean;
}

/** The bytes of a zip with these entries. */
export async function zipBytes(entries: readonly ZipEntry[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { name, content, compress = true, zip64 = false } of entries) {
    zip.addBuffer(Buffer.from(content), name, {
      compress,
      forceZip64Format: zip64,
      mtime: new Date(2024, 0, 8),
    });
  }
  zip.end();
  return await buffer(zip.outputStream);
}
