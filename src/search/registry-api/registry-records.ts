import type { DetailPart } from "../../contract/detail-parts.ts";
import { EXTENDED_PARTS } from "../../snapshot/extended/extended-index.ts";
import type { LookupAnswer, TaxonomyEntry } from "../../contract/answers.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { NO_DETAILS } from "../render/details-json.ts";
import type { Rendering } from "../render/rendering.ts";
import {
  registryRecord,
  type RegistryRecord,
} from "../render/registry-json.ts";
import {
  partsSearched,
  type FieldText,
  type RegistryQuery,
} from "./registry-query.ts";
import type { DetailsOfDocs } from "../details-of-docs.ts";
import type { Lookup } from "../lookup.ts";
import { fold, words } from "../../text/fold.ts";
import type { TaxonomyList } from "../taxonomy-list.ts";

/** Providers and taxonomies as the registry's own API shows them. */
export class RegistryRecords {
  readonly taxonomies: TaxonomyDescriptions;
  readonly #snapshot: Snapshot;
  readonly #details: DetailsOfDocs;
  readonly #rendering: Rendering;

  constructor(
    snapshot: Snapshot,
    details: DetailsOfDocs,
    { rendering, taxonomies }: Lookup,
  ) {
    this.taxonomies = new TaxonomyDescriptions(taxonomies);
    this.#snapshot = snapshot;
    this.#details = details;
    this.#rendering = rendering;
  }

  /**
   * Reads a provider with everything that is kept. If details are kept, it throws SnapshotFormatError if their file is
   * damaged, and file system errors.
   */
  of(doc: number): RegistryRecord {
    const parts = this.#snapshot.metadata.details ?? [];
    const { data }: LookupAnswer = JSON.parse(
      this.#rendering.renderRecord({ doc }, {}),
    );
    return registryRecord({
      record: data,
      details: parts.length === 0 ? NO_DETAILS : this.#details.of(doc),
      parts,
      descriptionOf: (code) => this.taxonomies.of(code),
    });
  }

  /** Lists the parts of details that a query searches and that the snapshot doesn't index. */
  missingFor(query: RegistryQuery): DetailPart[] {
    const { extended } = this.#snapshot;
    const searched = partsSearched(query);
    return EXTENDED_PARTS.filter(
      (part) => searched.has(part) && !extended.parts.includes(part),
    );
  }
}

/** Of a word, in an abbreviation. */
const MIN_LETTERS = 4;

/** The descriptions of taxonomies in the registry's API, and the way to find them by description. */
class TaxonomyDescriptions {
  readonly #taxonomies: TaxonomyList;
  /** The folded texts of each taxonomy: its specialization, its classification, and its description. */
  readonly #texts: readonly (readonly [code: string, texts: string[]])[];

  constructor(taxonomies: TaxonomyList) {
    this.#taxonomies = taxonomies;
    this.#texts = taxonomies.matching("").map((entry) => [
      entry.code,
      [entry.specialization, entry.classification, described(entry)]
        .filter((text) => text !== null)
        .map(fold)
        .filter((text) => text !== ""),
    ]);
  }

  /** Returns "Classification, Specialization"; null if the code is unknown. */
  of(code: string): string | null {
    const entry = this.#taxonomies.find(code);
    return entry && described(entry);
  }

  /**
   * Finds the codes whose classification, specialization, or description equals a text or starts with it; if there are
   * none, those of which it is an abbreviation, as in the registry's texts.
   */
  codesOf({ isPrefix, text }: FieldText): string[] {
    const wanted = fold(text);
    const codes = this.#codesWith((each) =>
      isPrefix ? each.startsWith(wanted) : each === wanted,
    );
    return codes.length > 0
      ? codes
      : this.#codesWith((each) =>
          isAbbreviation(words(wanted), words(each), isPrefix),
        );
  }

  #codesWith(matches: (text: string) => boolean): string[] {
    return this.#texts
      .filter(([, texts]) => texts.some(matches))
      .map(([code]) => code);
  }
}

/**
 * True if each word is the word at the same place, or its start of at least four letters: Spec/Tech is
 * Specialist/Technologist. As a prefix, it may lack words, and its last word may be any start.
 */
function isAbbreviation(
  short: readonly string[],
  long: readonly string[],
  isPrefix: boolean,
): boolean {
  if (isPrefix ? short.length > long.length : short.length !== long.length)
    return false;
  return short.every((word, at) => {
    const isStart =
      word.length >= MIN_LETTERS || (isPrefix && at === short.length - 1);
    return isStart ? long[at]!.startsWith(word) : long[at] === word;
  });
}

/** Describes a taxonomy, by NUCC's display name if the table has no levels. */
function described(entry: TaxonomyEntry): string | null {
  const { classification, description, specialization } = entry;
  if (classification === null) return description;
  return specialization === null
    ? classification
    : `${classification}, ${specialization}`;
}
