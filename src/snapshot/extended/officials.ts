import type { Folding } from "../../text/foldings.ts";
import { ByteInterner } from "../bytes/byte-interner.ts";
import { NumberList } from "../bytes/growable.ts";
import { EXTENDED_SECTIONS } from "../container/descriptors.ts";
import { openGroup, type Sections } from "../container/sections.ts";
import type { SectionWriter } from "../container/section-writer.ts";
import {
  countOf,
  Dictionary,
  draftDictionary,
} from "../dictionary/dictionary.ts";
import { groupItems, type Postings } from "../postings/postings.ts";
import { orderByDoc, type RecordTexts } from "./doc-order.ts";

const SECTIONS = EXTENDED_SECTIONS.officials;

/** Authorized officials under construction, by provider number; `docs` maps provider numbers to documents. */
export class OfficialsDraft {
  readonly #lastNames = new ByteInterner();
  readonly #firstNames = new ByteInterner();
  readonly #providers = new NumberList();
  readonly #lasts = new NumberList();
  readonly #firsts = new NumberList();

  /** Adds an official, whose names are texts `last` and `first`; none if both are empty. */
  add(
    provider: number,
    { bytes, ends, starts }: RecordTexts,
    last: number,
    first: number,
  ): void {
    const lastName = this.#lastNames.intern(bytes, starts[last]!, ends[last]!);
    const firstName = this.#firstNames.intern(
      bytes,
      starts[first]!,
      ends[first]!,
    );
    if (lastName === 0 && firstName === 0) return;
    this.#providers.push(provider);
    this.#lasts.push(lastName);
    this.#firsts.push(firstName);
  }

  /** Frees the memory that only adding needs. */
  close(): void {
    this.#lastNames.close();
    this.#firstNames.close();
  }

  write(writer: SectionWriter, docs: Uint32Array, folding: Folding): void {
    const lastNames = draftDictionary(this.#lastNames, folding);
    const firstNames = draftDictionary(this.#firstNames, folding);
    const order = orderByDoc(this.#providers.numbers, docs);
    const lasts = this.#lasts.numbers;
    const firsts = this.#firsts.numbers;
    const name = order.rows.map((at) => lastNames.numbers[lasts[at]!]!);
    const first = order.rows.map((at) => firstNames.numbers[firsts[at]!]!);
    writer.write(SECTIONS.owners, order.docs);
    writer.writeGroup(SECTIONS.lastNames, lastNames);
    writer.writeGroup(SECTIONS.firstNames, firstNames);
    writer.write(SECTIONS.name, name);
    writer.write(SECTIONS.first, first);
    writer.writeGroup(SECTIONS.nameDocs, groupItems(name, countOf(lastNames)));
    writer.writeGroup(
      SECTIONS.firstDocs,
      groupItems(first, countOf(firstNames)),
    );
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
