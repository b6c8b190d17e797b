import type { Folding } from "../../text/foldings.ts";
import { ByteInterner } from "../bytes/byte-interner.ts";
import { NumberList } from "../bytes/growable.ts";
import { lowerBound } from "../bytes/sorted.ts";
import { EXTENDED_SECTIONS } from "../container/descriptors.ts";
import type { Sections } from "../container/sections.ts";
import type { SectionWriter } from "../container/section-writer.ts";
import {
  countOf,
  Dictionary,
  draftDictionary,
  type NumberRange,
} from "../dictionary/dictionary.ts";
import { NameIndex, writeNameIndex } from "../names/name-index.ts";
import { organizationWords } from "../names/organization-words.ts";
import { writeFrequentNgrams } from "../ngrams/frequent-ngrams.ts";
import { orderByDoc, type RecordTexts } from "./doc-order.ts";

const OWNERS = EXTENDED_SECTIONS.names.owners;

/** Other names under construction, by provider number; `docs` maps provider numbers to documents. */
export class OtherNamesDraft {
  readonly #lastNames = new ByteInterner();
  readonly #firstNames = new ByteInterner();
  readonly #organizations = new ByteInterner();
  readonly #providers = new NumberList();
  /** Per name, its last name or its organization (the other one is 0), and its first name. */
  readonly #last = new NumberList();
  readonly #organization = new NumberList();
  readonly #first = new NumberList();

  /** Adds the name of an organization, text `name`; none if it is empty. */
  addOrganization(
    provider: number,
    { bytes, ends, starts }: RecordTexts,
    name: number,
  ): void {
    const number = this.#organizations.intern(
      bytes,
      starts[name]!,
      ends[name]!,
    );
    this.#add(provider, 0, number, 0);
  }

  /** Adds the name of a person, texts `last` and `first`; none if both are empty. */
  addPerson(
    provider: number,
    { bytes, ends, starts }: RecordTexts,
    last: number,
    first: number,
  ): void {
    this.#add(
      provider,
      this.#lastNames.intern(bytes, starts[last]!, ends[last]!),
      0,
      this.#firstNames.intern(bytes, starts[first]!, ends[first]!),
    );
  }

  /** Frees the memory that only adding needs. */
  close(): void {
    this.#lastNames.close();
    this.#firstNames.close();
    this.#organizations.close();
  }

  write(writer: SectionWriter, docs: Uint32Array, folding: Folding): void {
    const lastNames = draftDictionary(this.#lastNames, folding);
    const firstNames = draftDictionary(this.#firstNames, folding);
    const organizations = draftDictionary(this.#organizations, folding);
    const lastCount = countOf(lastNames);
    const order = orderByDoc(this.#providers.numbers, docs);
    const lasts = this.#last.numbers;
    const firsts = this.#first.numbers;
    const organizationOf = this.#organization.numbers;
    const name = order.rows.map((at) => {
      const organization = organizationOf[at]!;
      return organization === 0
        ? lastNames.numbers[lasts[at]!]!
        : lastCount + organizations.numbers[organization]!;
    });
    const first = order.rows.map((at) => firstNames.numbers[firsts[at]!]!);
    writer.write(OWNERS, order.docs);
    const names = { name, first, lastNames, firstNames, organizations };
    const words = organizationWords(new Dictionary(organizations));
    writeNameIndex(writer, names, words);
    writeFrequentNgrams(writer, []);
  }

  #add(
    provider: number,
    last: number,
    organization: number,
    first: number,
  ): void {
    if (last === 0 && organization === 0 && first === 0) return;
    this.#providers.push(provider);
    this.#last.push(last);
    this.#organization.push(organization);
    this.#first.push(first);
  }
}

/** The other names of documents (FORMAT.md, "Extended index"), numbered from 0 and ordered by document. */
export class OtherNames extends NameIndex {
  /** The document of each name, ascending. */
  readonly owners: Uint32Array;

  constructor(sections: Sections) {
    super(sections);
    this.owners = sections.get(OWNERS);
  }

  /** Finds the names of a document. */
  ofDoc(doc: number): NumberRange {
    const { owners } = this;
    const from = lowerBound(owners, doc);
    let to = from;
    while (owners[to] === doc) to++;
    return { from, to };
  }
}
