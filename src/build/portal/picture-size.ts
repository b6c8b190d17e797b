import { readFileSync } from "node:fs";
import type { PictureSize } from "../../site/guide-document.ts";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The offset of a PNG's width, followed by its height (ISO/IEC 15948, 11.2.2). */
const WIDTH_AT = 16;

/** The size of a PNG file in pixels. Throws if it isn't a PNG. */
export function pictureSize(path: string): PictureSize {
  const bytes = readFileSync(path);
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE))
    throw new Error(`${path} isn't a PNG.`);
  return {
    width: bytes.readUInt32BE(WIDTH_AT),
    height: bytes.readUInt32BE(WIDTH_AT + 4),
  };
}
