/**
 * Copies values of plain rows within the scanner's memory. AssemblyScript: TypeScript's syntax with WebAssembly's
 * types, in which a pointer is a number. `plain-values.ts` has the meaning of everything, and `tools/build-wasm.ts`
 * compiles it.
 */

/** The length of a section is below 128 unless it turns out to be longer. */
const HEADER_BYTES: i32 = 2;
const VECTOR: i32 = 16;

let starts: usize = 0;
let ends: usize = 0;

export function begin(starts_: usize, ends_: usize): void {
  starts = starts_;
  ends = ends_;
}

export function pack(
  cells: usize,
  count: i32,
  textStarts: usize,
  textEnds: usize,
  target: i32,
): i32 {
  let to = target;
  for (let text: i32 = 0; text < count; text++) {
    store<i32>(textStarts + (text << 2), to);
    to = copy(<i32>load<u16>(cells + (text << 1)), to);
    store<i32>(textEnds + (text << 2), to);
  }
  return to;
}

export function record(
  section: i32,
  first: i32,
  count: i32,
  dateCell: i32,
  day: i32,
  target: i32,
): i32 {
  const content = target + HEADER_BYTES;
  let to = content;
  let filledTo = content;
  for (let cell = first; cell < first + count; cell++) {
    const length = lengthOf(cell);
    const isDate = cell == dateCell;
    if (length == 0 || (isDate && day == 0)) store<u8>(to++, 0);
    else {
      to = isDate ? writeDay(day, to) : write(cell, length, to);
      filledTo = to;
    }
  }
  return end(section, target, filledTo);
}

export function records(
  section: i32,
  cells: usize,
  texts: i32,
  count: i32,
  isKeyed: bool,
  target: i32,
): i32 {
  let to = target + HEADER_BYTES;
  for (let each: i32 = 0; each < count; each++) {
    const row = cells + ((each * texts) << 1);
    let length = lengthOf(load<u16>(row));
    if (!isKeyed)
      for (let text: i32 = 1; text < texts; text++)
        length |= lengthOf(load<u16>(row + (text << 1)));
    if (length == 0) continue;
    for (let text: i32 = 0; text < texts; text++) {
      const cell = <i32>load<u16>(row + (text << 1));
      to = write(cell, lengthOf(cell), to);
    }
  }
  return end(section, target, to);
}

/** Ends a section. Returns where the next one starts. */
function end(section: i32, target: i32, to: i32): i32 {
  const content = target + HEADER_BYTES;
  const length = to - content;
  if (length == 0) return target;
  store<u8>(target, <u8>section);
  const behind = lengthBytes(length) - 1;
  if (behind > 0) memory.copy(content + behind, content, length);
  writeLength(length, target + 1);
  return to + behind;
}

/** Writes a value behind its length. */
// @ts-ignore: decorator
@inline
function write(cell: i32, length: i32, to: i32): i32 {
  return copy(cell, writeLength(length, to));
}

/** Two bytes, behind their number. */
function writeDay(day: i32, to: i32): i32 {
  store<u8>(to, 2);
  store<u16>(to + 1, <u16>day);
  return to + 3;
}

// @ts-ignore: decorator
@inline
function writeLength(length: i32, target: i32): i32 {
  let to = target;
  let rest = length;
  while (rest >= 0x80) {
    store<u8>(to++, <u8>(rest | 0x80));
    rest >>>= 7;
  }
  store<u8>(to, <u8>rest);
  return to + 1;
}

function lengthBytes(length: i32): i32 {
  let bytes: i32 = 1;
  for (let rest = length; rest >= 0x80; rest >>>= 7) bytes++;
  return bytes;
}

/** May write up to fifteen bytes behind the value. */
// @ts-ignore: decorator
@inline
function copy(cell: i32, target: i32): i32 {
  const from = load<i32>(starts + (cell << 2));
  const length = load<i32>(ends + (cell << 2)) - from;
  for (let at: i32 = 0; at < length; at += VECTOR)
    v128.store(target + at, v128.load(from + at));
  return target + length;
}

// @ts-ignore: decorator
@inline
function lengthOf(cell: i32): i32 {
  return (
    load<i32>(ends + (cell << 2)) - load<i32>(starts + (cell << 2))
  );
}
