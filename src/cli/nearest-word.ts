/** The closest word by edits, or null if none is close. */
export function nearestWord(
  typed: string,
  words: Iterable<string>,
): string | null {
  // Longer than any word: skip the comparison.
  if (typed.length > LONGEST) return null;
  let best: { word: string; edits: number } | null = null;
  for (const word of words) {
    const edits = editsBetween(typed, word);
    if (edits <= maxEdits(typed, word) && edits < (best?.edits ?? Infinity))
      best = { word, edits };
  }
  return best?.word ?? null;
}

const LONGEST = 40;

/** A third of the shorter word, at least one letter. */
function maxEdits(typed: string, word: string): number {
  return Math.max(1, Math.floor(Math.min(typed.length, word.length) / 3));
}

/** Insertions, deletions, replacements and swaps of neighbors (optimal string alignment). */
function editsBetween(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwap =
        i > 1 &&
        j > 1 &&
        from[i - 1] === to[j - 2] &&
        from[i - 2] === to[j - 1];
      row[j] = Math.min(
        (row[j - 1] ?? 0) + 1,
        (last[j] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    before = last;
    last = row;
  }
  return last[to.length] ?? 0;
}
