import { fold, words } from "../text/fold.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { TaxonomyCount } from "./query.ts";

interface Suggestion extends TaxonomyCount {
  /** The code and the words of the name, folded. */
  words: readonly string[];
}

/** Suggests taxonomies of providers while a user types. */
export class TaxonomySuggestions {
  /** Most common first. */
  readonly #all: readonly Suggestion[];

  constructor({ taxonomies, taxonomyDocs, taxonomyNames }: Snapshot) {
    const byCode = new Map<string, Suggestion>();
    for (let number = 1; number < taxonomyNames.length; number++) {
      const code = taxonomies.spelling(number)?.toUpperCase() ?? "";
      const { starts } = taxonomyDocs;
      const own = starts[number + 1]! - starts[number]!;
      const description = taxonomyNames[number] ?? null;
      byCode.set(code, {
        code,
        description,
        // Spellings of a code that differ only in case are merged.
        count: own + (byCode.get(code)?.count ?? 0),
        words: words(fold(`${code} ${description ?? ""}`)),
      });
    }
    this.#all = [...byCode.values()]
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
  }

  /** The taxonomies whose code or name has, for each word of a text, a word that starts with it; most common first. */
  matching(text: string, most: number): TaxonomyCount[] {
    const typed = words(fold(text));
    return this.#all
      .filter((each) =>
        typed.every((part) => each.words.some((word) => word.startsWith(part))),
      )
      .slice(0, most)
      .map(({ code, count, description }) => ({ code, description, count }));
  }
}
