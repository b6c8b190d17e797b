/** Documents are counted by groups of so many neighbours, as a power of two. */
const GROUP_BITS = 12;
/** So few are sorted outright. */
const FEW = 256;

/**
 * The documents that stand at `offset` to `offset + limit` - 1 when all are in ascending order. They come in any order,
 * each once, numbered below `docCount`; only the few around the page are sorted.
 */
export function rankedDocs(
  docs: Uint32Array,
  docCount: number,
  offset: number,
  limit: number,
): number[] {
  if (limit === 0 || offset >= docs.length) return [];
  if (docs.length <= FEW)
    return [
      ...docs
        .slice()
        .sort()
        .subarray(offset, offset + limit),
    ];
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
  return [...near.sort().subarray(offset - before, offset - before + limit)];
}
