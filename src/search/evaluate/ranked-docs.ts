/** Documents are counted in groups of this many neighbors, as a power of two. */
const GROUP_BITS = 12;
/** Up to this many are sorted directly. */
const FEW = 256;
/**
 * If there are at least this many times as many documents as the page ends at, only the lowest numbers are searched for
 * it.
 */
const MANY = 8;

/**
 * Returns the documents at `offset` to `offset + limit` - 1 in ascending order. The input is in any order, each
 * document once, numbered below `docCount`; only the few around the page are sorted.
 */
export function rankedDocs(
  docs: Uint32Array,
  docCount: number,
  offset: number,
  limit: number,
): number[] {
  if (limit === 0 || offset >= docs.length) return [];
  if (docs.length <= FEW) return sortedSlice(docs.slice(), offset, limit);
  const first = likelyFirst(offset + limit);
  if (first * MANY < docs.length) {
    const begin = below(docs, Math.ceil((first / docs.length) * docCount));
    if (begin.length >= offset + limit)
      return sortedSlice(begin, offset, limit);
  }
  return bySortedGroups(docs, docCount, offset, limit);
}

/**
 * Returns how many of the lowest evenly spread documents to look at, so that the first `count` are among them unless
 * the documents are very unevenly spread.
 */
function likelyFirst(count: number): number {
  return 2 * count + 64;
}

function below(docs: Uint32Array, end: number): Uint32Array {
  const lowest = new Uint32Array(docs.length);
  let count = 0;
  for (let i = 0; i < docs.length; i++)
    if (docs[i]! < end) lowest[count++] = docs[i]!;
  return lowest.subarray(0, count);
}

function bySortedGroups(
  docs: Uint32Array,
  docCount: number,
  offset: number,
  limit: number,
): number[] {
  const counts = new Uint32Array((docCount >>> GROUP_BITS) + 1);
  for (let i = 0; i < docs.length; i++) counts[docs[i]! >>> GROUP_BITS]!++;
  let first = 0;
  let before = 0;
  while (first < counts.length && before + counts[first]! <= offset)
    before += counts[first++]!;
  let last = first;
  let within = before;
  while (last < counts.length && within < offset + limit)
    within += counts[last++]!;
  const near = new Uint32Array(within - before);
  let count = 0;
  for (let i = 0; i < docs.length; i++) {
    const group = docs[i]! >>> GROUP_BITS;
    if (group >= first && group < last) near[count++] = docs[i]!;
  }
  return sortedSlice(near, offset - before, limit);
}

/** Sorts the documents in their array. */
function sortedSlice(
  docs: Uint32Array,
  offset: number,
  limit: number,
): number[] {
  return Array.from(docs.sort().subarray(offset, offset + limit));
}
