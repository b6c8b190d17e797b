import type { Folding } from "../../text/foldings.ts";
import { ByteInterner } from "../bytes/byte-interner.ts";
import { withRoom } from "../bytes/growable.ts";
import {
  EXTENDED_SECTIONS,
  type DictionarySections,
  type PostingsSections,
} from "../container/descriptors.ts";
import type { Section } from "../container/section.ts";
import { openGroup, type Sections } from "../container/sections.ts";
import type { SectionWriter } from "../container/section-writer.ts";
import {
  countOf,
  Dictionary,
  draftDictionary,
} from "../dictionary/dictionary.ts";
import {
  mergeDictionary,
  type MergedDictionary,
} from "../dictionary/merged-dictionary.ts";
import { mergeLists, mergeNumbers } from "../names/merge-names.ts";
import { groupItems, type Postings } from "../postings/postings.ts";
import { orderByDoc } from "./doc-order.ts";
import { mergeOwned } from "./merge-owned.ts";
import type { RecordTexts } from "./record-texts.ts";

const SECTIONS = EXTENDED_SECTIONS.officials;

/** Authorized officials under construction, by provider number; `docs` maps provider numbers to documents. */
export class OfficialsDraft {
  readonly #lastNames = new ByteInterner();
  readonly #firstNames = new ByteInterner();
  /** For an update: the base's index. */
  #base: Sections | null = null;
  #count = 0;
  #providers: Uint32Array = new Uint32Array(0);
  #lasts: Uint32Array = new Uint32Array(0);
  #firsts: Uint32Array = new Uint32Array(0);

  /** Adds an official, whose names are texts `last` and `first`; none if both are empty. */
  add(
    provider: number,
    { bytes, ends, starts }: RecordTexts,
    last: number,
    first: number,
  ): void {
    this.#add(
      provider,
      this.#lastNames.intern(bytes, starts[last]!, ends[last]!),
      this.#firstNames.intern(bytes, starts[first]!, ends[first]!),
    );
  }

  /** Adds the officials of the base's documents that stay, which are the first providers. */
  addBase(base: Sections): void {
    this.#base = base;
  }

  /** Frees the memory that only adding needs. */
  close(): void {
    this.#lastNames.close();
    this.#firstNames.close();
  }

  write(writer: SectionWriter, docs: Uint32Array, folding: Folding): void {
    const base = this.#base;
    const merge = (group: DictionarySections, spellings: ByteInterner) =>
      mergeDictionary(
        base && Dictionary.open(base, group),
        draftDictionary(spellings, folding),
      );
    const lastNames = merge(SECTIONS.lastNames, this.#lastNames);
    const firstNames = merge(SECTIONS.firstNames, this.#firstNames);
    const order = orderByDoc(this.#providers.subarray(0, this.#count), docs);
    const merged =
      base &&
      mergeOwned(
        { sections: base },
        base.get(SECTIONS.owners),
        docs,
        order.docs,
      );
    const columnOf = (
      column: Section<Uint32Array>,
      rows: Uint32Array,
      { fromBase }: MergedDictionary,
    ): Uint32Array => {
      if (merged === null) return rows;
      const all = new Uint32Array(merged.owners.length);
      mergeNumbers(all, merged, column, fromBase, rows);
      return all;
    };
    const listsOf = (
      group: PostingsSections,
      rows: Uint32Array,
      dictionary: MergedDictionary,
    ): Postings => {
      const lists = groupItems(rows, countOf(dictionary));
      return merged === null
        ? lists
        : mergeLists(merged, group, dictionary.fromBase, lists);
    };
    writer.write(SECTIONS.owners, merged?.owners ?? order.docs);
    writer.writeGroup(SECTIONS.lastNames, lastNames);
    writer.writeGroup(SECTIONS.firstNames, firstNames);
    const rowsOf = (numbers: Uint32Array, dictionary: MergedDictionary) =>
      order.rows.map((at) => dictionary.numbers[numbers[at]!]!);
    const name = rowsOf(this.#lasts, lastNames);
    const first = rowsOf(this.#firsts, firstNames);
    writer.write(SECTIONS.name, columnOf(SECTIONS.name, name, lastNames));
    writer.write(SECTIONS.first, columnOf(SECTIONS.first, first, firstNames));
    writer.writeGroup(
      SECTIONS.nameDocs,
      listsOf(SECTIONS.nameDocs, name, lastNames),
    );
    writer.writeGroup(
      SECTIONS.firstDocs,
      listsOf(SECTIONS.firstDocs, first, firstNames),
    );
  }

  #add(provider: number, last: number, first: number): void {
    if (last === 0 && first === 0) return;
    const at = this.#count++;
    this.#providers = withRoom(this.#providers, this.#count);
    this.#lasts = withRoom(this.#lasts, this.#count);
    this.#firsts = withRoom(this.#firsts, this.#count);
    this.#providers[at] = provider;
    this.#lasts[at] = last;
    this.#firsts[at] = first;
  }
}

/** The authorized officials of organizations, numbered from 0 and ordered by document. */
export class Officials {
  /** The document of each official, ascending. */
  readonly owners: Uint32Array;
  readonly lastNames: Dictionary;
  readonly firstNames: Dictionary;
  /** Per official, the numbers of its last and its first name; 0 for none. */
  readonly name: Uint32Array;
  readonly firstName: Uint32Array;
  /** The officials by these numbers. */
  readonly nameDocs: Postings;
  readonly firstNameDocs: Postings;

  constructor(sections: Sections) {
    this.owners = sections.get(SECTIONS.owners);
    this.lastNames = Dictionary.open(sections, SECTIONS.lastNames);
    this.firstNames = Dictionary.open(sections, SECTIONS.firstNames);
    this.name = sections.get(SECTIONS.name);
    this.firstName = sections.get(SECTIONS.first);
    this.nameDocs = openGroup(sections, SECTIONS.nameDocs);
    this.firstNameDocs = openGroup(sections, SECTIONS.firstDocs);
  }
}
