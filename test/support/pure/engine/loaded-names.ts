import { crc32 } from "node:zlib";
import {
  type SharedFile,
  LazySections,
} from "../../../../src/snapshot/container/shared-file.ts";

/** The names of the sections of the extended index that are in memory. */
export function loadedNames({ extended }: SharedFile): string[] {
  if (extended === null) return [];
  using sections = new LazySections(extended);
  return sections.entries.flatMap(({ bytes, crc, name, offset }) =>
    bytes > 0 && crc32(new Uint8Array(extended.memory, offset, bytes)) === crc
      ? [name]
      : [],
  );
}
