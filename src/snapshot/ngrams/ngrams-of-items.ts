import { countOf, type DictionaryEntries } from "../dictionary/dictionary.ts";
import type { Names } from "../names/name-index.ts";
import type { NameColumns } from "./marked-docs.ts";
import type { NgramTree } from "./ngram-tree.ts";

/** The n-grams of single items, for few of them. */
export class NgramsOfItems {
  readonly #tree: NgramTree;
  readonly #names: Omit<Names, "first" | "name">;
  /** Per n-gram, the last item that has it, counted from 1. */
  readonly #last: Uint32Array;
  #items = 0;
  /** The n-grams of an item, and room for those of an entry. */
  readonly #found: Uint32Array;
  #count = 0;
  #listed: Uint16Array | Uint32Array;

  constructor(names: Omit<Names, "first" | "name">, tree: NgramTree) {
    this.#names = names;
    this.#tree = tree;
    this.#last = new Uint32Array(tree.size);
    this.#found = new Uint32Array(tree.size);
    this.#listed = tree.emptyList(0);
  }

  /** The n-grams of an item, in any order. Valid until the next call. */
  of({ first, name }: NameColumns, item: number): Uint32Array {
    const { firstNames, lastNames, organizations } = this.#names;
    const lastCount = countOf(lastNames);
    const number = name[item]!;
    this.#items++;
    this.#count = 0;
    if (number > lastCount) this.#addAll(organizations, number - lastCount);
    else {
      if (number > 0) this.#addAll(lastNames, number);
      if (first[item]! > 0) this.#addAll(firstNames, first[item]!);
    }
    return this.#found.subarray(0, this.#count);
  }

  #addAll(dictionary: DictionaryEntries, entry: number): void {
    const { offsets } = dictionary;
    const room = 2 * (offsets[entry + 1]! - offsets[entry]!);
    if (this.#listed.length < room)
      this.#listed = this.#tree.emptyList(2 * room);
    const count = this.#tree.list(dictionary, entry, this.#listed, 0);
    for (let at = 0; at < count; at++) this.#add(this.#listed[at]!);
  }

  /** Adds an n-gram and those that it contains. */
  #add(ngram: number): void {
    if (this.#last[ngram] === this.#items) return;
    this.#last[ngram] = this.#items;
    this.#found[this.#count++] = ngram;
    this.#add(this.#tree.shorter[ngram]!);
    this.#add(this.#tree.inside[ngram]!);
  }
}
