/** A word that may be meant. */
export interface Candidate {
  /** Folded. */
  readonly word: string;
  /** From the typed word. */
  readonly edits: number;
  /** The number of providers that have the word. */
  readonly providers: number;
}

const MAX_SUGGESTIONS = 5;
/** The factor by which a suggestion has more providers than the typed word, at least: the registry has misspellings. */
const TIMES_TYPED = 10;
/** A word is too rare if a suggestion that is as near or nearer has more than this many times as many providers. */
const TIMES_RARE = 100;

/**
 * Chooses the likeliest words, at most five, of all that are near the typed word, itself included. The first have the
 * fewest edits, then the most providers, then the first character of the typed word, then alphabetical order.
 */
export function likeliest<C extends Candidate>(
  typed: string,
  near: readonly C[],
): C[] {
  const ofTyped = near.find(({ word }) => word === typed)?.providers ?? 0;
  const least = Math.max(1, ofTyped * TIMES_TYPED);
  const [first = ""] = typed;
  const startsOtherwise = ({ word }: C): number =>
    word.startsWith(first) ? 0 : 1;
  const ordered = near
    .filter(({ providers, word }) => word !== typed && providers >= least)
    .sort(
      (a, b) =>
        a.edits - b.edits ||
        b.providers - a.providers ||
        startsOtherwise(a) - startsOtherwise(b) ||
        (a.word < b.word ? -1 : 1),
    );
  const chosen: C[] = [];
  let most = 0;
  for (const each of ordered) {
    if (each.providers * TIMES_RARE < most) continue;
    // Of those with as many edits, the first has the most providers.
    most = Math.max(most, each.providers);
    if (chosen.push(each) === MAX_SUGGESTIONS) break;
  }
  return chosen;
}
