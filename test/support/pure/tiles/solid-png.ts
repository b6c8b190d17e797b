import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const SIZE = 8;
const BITS = 8;
const RGB = 2;

/** A small square PNG in one color. */
export function solidPng(color: readonly [number, number, number]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  header.set([BITS, RGB], 8);
  const row = [0, ...Array.from({ length: SIZE }, () => color).flat()];
  const pixels = Buffer.from(Array.from({ length: SIZE }, () => row).flat());
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
