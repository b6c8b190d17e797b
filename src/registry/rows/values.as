/**
 * Copies values of rows within the scanner's memory. AssemblyScript: TypeScript's syntax with WebAssembly's
 * types, in which a pointer is a number. `values.ts` has the meaning of everything, and `tools/build-wasm.ts`
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

/** The end of the last text of a record that is not empty. */
let filledTo: i32 = 0;

export function record(cells: usize, texts: i32, target: i32): i32 {
  let all: i32 = 0;
  for (let text: i32 = 0; text < texts; text++)
    all |= lengthOf(<i32>load<u16>(cells + (text << 1)));
  if (all == 0) return target;
  let to = target;
  for (let text: i32 = 0; text < texts; text++) {
    const cell = <i32>load<u16>(cells + (text << 1));
    const length = lengthOf(cell);
    to = copy(cell, writeLength(length, to));
    if (length != 0) filledTo = to;
  }
  return to;
}

export function section(
  number: i32,
  cells: usize,
  texts: i32,
  count: i32,
  isKeyed: bool,
  isOnly: bool,
  target: i32,
): i32 {
  const content = target + HEADER_BYTES;
  let to = content;
  filledTo = content;
  for (let each: i32 = 0; each < count; each++) {
    const row = cells + ((each * texts) << 1);
    if (!isKeyed || lengthOf(<i32>load<u16>(row)) != 0)
      to = record(row, texts, to);
  }
  const length = (isOnly ? filledTo : to) - content;
  if (length == 0) return target;
  store<u8>(target, <u8>number);
  const behind = lengthBytes(length) - 1;
  if (behind > 0) memory.copy(content + behind, content, length);
  writeLength(length, target + 1);
  return content + length + behind;
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
