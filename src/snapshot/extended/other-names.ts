import {
  countOf,
  Dictionary,
  draftDictionary,
} from "../dictionary/dictionary.ts";
import { mergeDictionary, numberIn } from "../dictionary/merged-dictionary.ts";
import { release } from "../bytes/release.ts";
import { withRoom } from "../bytes/growable.ts";
import { NameIndex, writeNameIndex } from "../names/name-index.ts";
import { organizationWords } from "../names/organization-words.ts";
import { writeFrequentNgrams } from "../ngrams/frequent-ngrams.ts";
import { lowerBound } from "../bytes/sorted.ts";
import { ByteInterner } from "../bytes/byte-interner.ts";
import type { NumberRange } from "../dictionary/dictionary.ts";
import { EXTENDED_SECTIONS } from "../container/descriptors.ts";
import type { Sections } from "../container/sections.ts";
import type { SectionWriter } from "../container/section-writer.ts";
import { orderByDoc } from "./doc-order.ts";
import type { RecordTexts } from "./record-texts.ts";

const OWNERS = EXTENDED_SECTIONS.names.owners;

type NameDictionaries = "firstNames" | "lastNames" | "organizations";

/** Other names under construction, by provider number; `docs` maps provider numbers to documents. */
export class OtherNamesDraft {
  readonly #lastNames = new ByteInterner();
  readonly #firstNames = new ByteInterner();
  readonly #organizations = new ByteInterner();
  /** The base's dictionaries, and how many names have their numbers; the rest have those of the interners. */
  #base: Pick<OtherNames, NameDictionaries> | null = null;
  #baseCount = 0;
  #count = 0;
  #providers: Uint32Array = new Uint32Array(0);
  /** Per name, its last name or its organization (the other one is 0), and its first name. */
  #last: Uint32Array = new Uint32Array(0);
  #organization: Uint32Array = new Uint32Array(0);
  #first: Uint32Array = new Uint32Array(0);

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

  /**
   * Adds the base's names of the providers that stay, before any other; their numbers are the base's documents. Frees
   * the base's arrays.
   */
  addBase(base: OtherNames, stays: (doc: number) => boolean): void {
    const { firstName, lastNames, name, owners } = base;
    const { count } = lastNames;
    for (let at = 0; at < owners.length; at++) {
      if (!stays(owners[at]!)) continue;
      const number = name[at]!;
      const first = firstName[at]!;
      if (number <= count) this.#add(owners[at]!, number, 0, first);
      else this.#add(owners[at]!, 0, number - count, first);
    }
    this.#base = base;
    this.#baseCount = this.#count;
    release(firstName, name, owners);
  }

  /** Frees the memory that only adding needs. */
  close(): void {
    this.#lastNames.close();
    this.#firstNames.close();
    this.#organizations.close();
  }

  write(writer: SectionWriter, docs: Uint32Array): void {
    const merge = (name: NameDictionaries, spellings: ByteInterner) =>
      mergeDictionary(this.#base?.[name] ?? null, draftDictionary(spellings));
    const lastNames = merge("lastNames", this.#lastNames);
    const firstNames = merge("firstNames", this.#firstNames);
    const organizations = merge("organizations", this.#organizations);
    const lastCount = countOf(lastNames);
    const order = orderByDoc(this.#providers.subarray(0, this.#count), docs);
    const name = order.rows.map((at) => {
      const isOfBase = at < this.#baseCount;
      const organization = this.#organization[at]!;
      return organization === 0
        ? numberIn(lastNames, isOfBase, this.#last[at]!)
        : lastCount + numberIn(organizations, isOfBase, organization);
    });
    const first = order.rows.map((at) =>
      numberIn(firstNames, at < this.#baseCount, this.#first[at]!),
    );
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
    const at = this.#count++;
    this.#providers = withRoom(this.#providers, this.#count);
    this.#last = withRoom(this.#last, this.#count);
    this.#organization = withRoom(this.#organization, this.#count);
    this.#first = withRoom(this.#first, this.#count);
    this.#providers[at] = provider;
    this.#last[at] = last;
    this.#organization[at] = organization;
    this.#first[at] = first;
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

  /** The names of a document. */
  ofDoc(doc: number): NumberRange {
    const { owners } = this;
    const from = lowerBound(owners, doc);
    let to = from;
    while (owners[to] === doc) to++;
    return { from, to };
  }
}
