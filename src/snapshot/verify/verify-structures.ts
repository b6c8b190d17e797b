import type { Dictionary } from "../dictionary/dictionary.ts";
import type { Postings } from "../postings/postings.ts";

export function isSorted({ bytes, count, offsets }: Dictionary): boolean {
  for (let number = 2; number <= count; number++) {
    const before = Buffer.from(
      bytes.buffer,
      bytes.byteOffset + offsets[number - 1]!,
      offsets[number]! - offsets[number - 1]!,
    );
    const own = Buffer.from(
      bytes.buffer,
      bytes.byteOffset + offsets[number]!,
      offsets[number + 1]! - offsets[number]!,
    );
    if (Buffer.compare(before, own) >= 0) return false;
  }
  return true;
}

/** Whether the lists hold each document once, ascending, under the number that its column has. */
export function areListsOf(
  { items, starts }: Postings,
  column: Uint32Array | Uint16Array,
): boolean {
  for (let number = 1; number < starts.length - 1; number++) {
    for (let at = starts[number]!; at < starts[number + 1]!; at++) {
      if (
        column[items[at]!] !== number ||
        (at > starts[number]! && items[at - 1]! >= items[at]!)
      )
        return false;
    }
  }
  let numbered = 0;
  for (let doc = 0; doc < column.length; doc++)
    if (column[doc] !== 0) numbered++;
  return numbered === items.length;
}

export function isSamePostings(some: Postings, others: Postings): boolean {
  return isSame(some.starts, others.starts) && isSame(some.items, others.items);
}

export function isSame(
  some: Uint8Array | Uint16Array | Uint32Array,
  others: Uint8Array | Uint16Array | Uint32Array,
): boolean {
  if (some.length !== others.length) return false;
  for (let i = 0; i < some.length; i++) if (some[i] !== others[i]) return false;
  return true;
}
