import { readFileSync } from "node:fs";
import type { PictureSize } from "../site/guide-document.ts";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Where a PNG says how wide it is; its height follows (ISO/IEC 15948, 11.2.2). */
const WIDTH_AT = 16;

/** How many pixels a PNG file has. Throws where it is none. */
export function pictureSize(path: string): PictureSize {
  const bytes = readFileSync(path);
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE))
    throw new Error(`${path} is not a PNG.`);
  return {
    width: bytes.readUInt32BE(WIDTH_AT),
    height: bytes.readUInt32BE(WIDTH_AT + 4),
  };
}
