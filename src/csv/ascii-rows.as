/**
 * Finds the cells of plain rows, 64 bytes at a time. AssemblyScript: TypeScript's syntax with WebAssembly's types, in
 * which a pointer is a number. `ascii-rows.ts` has the meaning of everything, and `tools/build-wasm.ts` compiles it.
 */

const QUOTE: u8 = 0x22;
const COMMA: u8 = 0x2c;
const LF: u8 = 0x0a;
const CR: u8 = 0x0d;

const INCOMPLETE: i32 = -1;
const UNUSUAL: i32 = -2;

/** The class of a byte that may change what a value means if it is the first or last one: see ValueClasses. */
const EDGE: u8 = 1;

/** Bytes per block: one bit each in a 64-bit number. */
const BLOCK: i32 = 64;
/** Empty cells, `"",` each, are skipped 16 at a time. */
const RUN_BYTES: i32 = 48;
const RUN_CELLS: i32 = 16;

let columns: i32 = 0;
let cellOfColumn: usize = 0;
let classes: usize = 0;
let starts: usize = 0;
let ends: usize = 0;
let found: usize = 0;
let foundCount: i32 = 0;

let lastCell: i32 = 0;
let innerLines: i32 = 0;
let columnCount: i32 = 0;
let isUnusual: bool = false;

/** The addresses of the layout's tables and of the results. */
export function begin(
  columns_: i32,
  cellOfColumn_: usize,
  classes_: usize,
  starts_: usize,
  ends_: usize,
  found_: usize,
): void {
  columns = columns_;
  cellOfColumn = cellOfColumn_;
  classes = classes_;
  starts = starts_;
  ends = ends_;
  found = found_;
}

export function lastCellOfRow(): i32 {
  return lastCell;
}

export function innerLinesOfRow(): i32 {
  return innerLines;
}

export function columnsOfRow(): i32 {
  return columnCount;
}

/** Empties the ranges that the last row filled. */
export function clear(): void {
  for (let at: i32 = 0; at < foundCount; at++) {
    const cell = (<usize>load<u16>(found + (at << 1))) << 2;
    store<i32>(starts + cell, 0);
    store<i32>(ends + cell, 0);
  }
  foundCount = 0;
}

/** Reads the row at `rowStart`, if it is plain. Returns the start of the next row, INCOMPLETE, or UNUSUAL. */
export function scan(rowStart: i32, end: i32): i32 {
  const quoteSign = i8x16.splat(QUOTE);
  const commaSign = i8x16.splat(COMMA);
  const lineFeedSign = i8x16.splat(LF);
  clear();
  isUnusual = false;
  lastCell = 0;
  innerLines = 0;
  let column: i32 = 0;
  let at = rowStart;
  /** True if a cell starts at `at`; otherwise, what is carried over from the block before. */
  let isCellStart = true;
  let isInside: u64 = 0;
  let isBehindClose: u64 = 0;
  let openStart: i32 = 0;
  while (at < end) {
    if (isCellStart)
      while (at + RUN_BYTES <= end && isEmptyRun(at)) {
        at += RUN_BYTES;
        column += RUN_CELLS;
      }
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    const quotes = places(a, b, c, d, quoteSign);
    const commas = places(a, b, c, d, commaSign);
    const lineFeeds = places(a, b, c, d, lineFeedSign);
    const inside = oddFrom(quotes) ^ isInside;
    const open = quotes & inside;
    const close = quotes & ~inside;
    const outside = ~(inside | close);
    const behindClose = (close << 1) | isBehindClose;
    let known: u64 = end - at < BLOCK ? ((<u64>1) << (end - at)) - 1 : -1;
    const rowEnds = lineFeeds & outside & known;
    const rowEnd = at + <i32>ctz(rowEnds);
    const isWhole = rowEnds != 0;
    if (isWhole) known = rowEnds ^ (rowEnds - 1);
    const separators = commas & outside & known;
    // A last cell that may not be complete is read again with the next block.
    if (!isWhole && separators != 0) known = (<u64>-1) >> clz(separators);
    const unusual =
      known &
      ((outside & ~((commas | lineFeeds) & behindClose)) |
        (open & behindClose));
    if (unusual != 0) {
      // A carriage return is not, between the last quote and the line feed.
      const lineFeed = rowEnds & -rowEnds;
      const lineEnd = lineFeed | (lineFeed >> 1);
      if (unusual != lineEnd || load<u8>(rowEnd - 1) != CR) return UNUSUAL;
      if (((lineFeed >> 1) & behindClose) == 0) return UNUSUAL;
    }
    const highBits = v128.or(v128.or(a, b), v128.or(c, d));
    if (i8x16.bitmask(highBits) != 0 && (signs(a, b, c, d) & known) != 0)
      return UNUSUAL;
    let opens = open & ~(close >> 1) & known;
    let closes = close & ~(open << 1) & known;
    while (closes != 0) {
      const closeAt = <i32>ctz(closes);
      if (opens != 0 && <i32>ctz(opens) < closeAt) {
        openStart = at + <i32>ctz(opens) + 1;
        opens &= opens - 1;
      }
      const before = ((<u64>1) << closeAt) - 1;
      keep(column + <i32>popcnt(separators & before), openStart, at + closeAt);
      closes &= closes - 1;
    }
    if (opens != 0) openStart = at + <i32>ctz(opens) + 1;
    column += <i32>popcnt(separators);
    innerLines += <i32>popcnt(lineFeeds & inside & known);
    if (isWhole) {
      columnCount = column + 1;
      return isUnusual ? UNUSUAL : rowEnd + 1;
    }
    isCellStart = separators != 0;
    if (isCellStart) {
      at += BLOCK - <i32>clz(separators);
      isInside = 0;
      isBehindClose = 0;
    } else {
      at += BLOCK;
      isInside = <u64>((<i64>inside) >> 63);
      isBehindClose = close >> 63;
    }
  }
  return INCOMPLETE;
}

/** Keeps the range of a cell, which is not empty, if it is needed. */
// @ts-ignore: decorator
@inline
function keep(column: i32, start: i32, end: i32): void {
  const cell = <i32>(
    load<u16>(cellOfColumn + (min(column, columns) << 1))
  );
  if (cell == 0) return;
  lastCell = max(lastCell, cell);
  store<i32>(starts + (cell << 2), start);
  store<i32>(ends + (cell << 2), end);
  store<u16>(found + (foundCount << 1), <u16>cell);
  foundCount++;
  if ((classOf(start) | classOf(end - 1)) != 0 && isSpecial(start, end))
    isUnusual = true;
}

/** True if a value whose first or last byte has a class may differ from its bytes. */
function isSpecial(start: i32, end: i32): bool {
  if (classOf(start) == EDGE || classOf(end - 1) == EDGE) return true;
  let at = start;
  while (at < end && classOf(at) != 0) at++;
  return at == end;
}

// @ts-ignore: decorator
@inline
function classOf(at: i32): u8 {
  return load<u8>(classes + load<u8>(at));
}

// @ts-ignore: decorator
@inline
function isEmptyRun(at: i32): bool {
  const first = v128(34, 34, 44, 34, 34, 44, 34, 34, 44, 34, 34, 44, 34, 34, 44, 34);
  const second = v128(34, 44, 34, 34, 44, 34, 34, 44, 34, 34, 44, 34, 34, 44, 34, 34);
  const third = v128(44, 34, 34, 44, 34, 34, 44, 34, 34, 44, 34, 34, 44, 34, 34, 44);
  return !v128.any_true(
    v128.or(
      v128.or(
        v128.xor(v128.load(at), first),
        v128.xor(v128.load(at, 16), second),
      ),
      v128.xor(v128.load(at, 32), third),
    ),
  );
}

/** A bit for each of 64 bytes that is `sign`. */
// @ts-ignore: decorator
@inline
function places(a: v128, b: v128, c: v128, d: v128, sign: v128): u64 {
  return signs(
    i8x16.eq(a, sign),
    i8x16.eq(b, sign),
    i8x16.eq(c, sign),
    i8x16.eq(d, sign),
  );
}

/** The highest bit of each of 64 bytes. */
// @ts-ignore: decorator
@inline
function signs(a: v128, b: v128, c: v128, d: v128): u64 {
  return (
    (<u64>(<u32>i8x16.bitmask(a))) |
    ((<u64>(<u32>i8x16.bitmask(b))) << 16) |
    ((<u64>(<u32>i8x16.bitmask(c))) << 32) |
    ((<u64>(<u32>i8x16.bitmask(d))) << 48)
  );
}

/** Sets each bit up to which, itself included, there is an odd number of bits. */
// @ts-ignore: decorator
@inline
function oddFrom(bits: u64): u64 {
  let odd = bits ^ (bits << 1);
  odd ^= odd << 2;
  odd ^= odd << 4;
  odd ^= odd << 8;
  odd ^= odd << 16;
  return odd ^ (odd << 32);
}
