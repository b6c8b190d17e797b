import type { DetailPart } from "../contract/detail-parts.ts";
import type { Status } from "../contract/provider.ts";
import { MAX_SUGGESTIONS, type Verdict } from "../contract/verdicts.ts";
import { checkNpi, isAssignableNpi } from "../registry/npi.ts";
import { statusOf } from "../snapshot/postings/kinds.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { DetailsOfDocs } from "./details-of-docs.ts";
import type { FoundRecord } from "./query.ts";

/** The data's verdict on a number. */
export interface CheckedNpi {
  /** The number as given. */
  readonly npi: string;
  readonly verdict: Verdict;
  /** The provider; null unless the verdict is a status. */
  readonly found: FoundRecord | null;
  /** The NPI that replaces a deactivated one; null if the registry names none. */
  readonly replacedBy: string | null;
  /** NPIs that may be meant; null unless the check digit is wrong. */
  readonly suggestions: readonly string[] | null;
}

/** Returns the status of an NPI; null if it isn't in the registry. */
type StatusOf = (npi: number) => Status | null;

const DIGITS = 10;
const EACH_DIGIT = Array.from("0123456789");

/** Checks texts that may be NPIs against a snapshot. */
export class NpiChecker {
  readonly #snapshot: Snapshot;
  readonly #details: DetailsOfDocs;

  constructor(snapshot: Snapshot, details: DetailsOfDocs) {
    this.#snapshot = snapshot;
    this.#details = details;
  }

  /**
   * Returns the verdict on a text, and what belongs to it. The provider has some parts of its details, which must be
   * kept. Throws SnapshotFormatError if the details file is damaged, and file system errors.
   */
  check(npi: string, parts: readonly DetailPart[] = []): CheckedNpi {
    const doc = this.#find(npi);
    const verdict = this.#verdictOf(npi, doc);
    return {
      npi,
      verdict,
      found: doc < 0 ? null : this.#details.recordOf(doc, parts),
      replacedBy:
        verdict === "deactivated"
          ? this.#details.replacementOf(Number(npi))
          : null,
      suggestions:
        verdict === "invalid_check_digit"
          ? suggestionsFor(npi, (number) => this.#statusOf(number))
          : null,
    };
  }

  /** Returns only the verdict on a text. */
  verdictOf(npi: string): Verdict {
    return this.#verdictOf(npi, this.#find(npi));
  }

  #verdictOf(npi: string, doc: number): Verdict {
    if (doc >= 0) return statusOf(this.#snapshot.kinds.column[doc]!);
    const fault = checkNpi(npi);
    if (fault === "shape") return "malformed";
    return fault === "check_digit" ? "invalid_check_digit" : "not_found";
  }

  #statusOf(npi: number): Status | null {
    const doc = this.#snapshot.npiIndex.find(npi);
    return doc < 0 ? null : statusOf(this.#snapshot.kinds.column[doc]!);
  }

  /** Finds the document of an NPI; negative if there is none, or if the text is not an NPI. */
  #find(npi: string): number {
    return checkNpi(npi) === "ok"
      ? this.#snapshot.npiIndex.find(Number(npi))
      : -1;
  }
}

/**
 * Finds registered NPIs that a number of ten digits with a wrong check digit may mean: those with two neighboring
 * digits swapped, then those with one other digit; of each, active ones first, and then from left to right.
 */
function suggestionsFor(number: string, statusAt: StatusOf): string[] {
  const suggestions: string[] = [];
  for (const candidates of [swapped(number), replaced(number)]) {
    const deactivated: string[] = [];
    for (const candidate of candidates) {
      const status = statusAt(candidate);
      if (status === "active") suggestions.push(String(candidate));
      else if (status !== null) deactivated.push(String(candidate));
    }
    suggestions.push(...deactivated);
    if (suggestions.length >= MAX_SUGGESTIONS) break;
  }
  return suggestions.slice(0, MAX_SUGGESTIONS);
}

/** Lists the possible NPIs with two neighboring digits swapped. */
function swapped(number: string): number[] {
  return Array.from({ length: DIGITS - 1 }, (_, at) =>
    replacing(number, at, number[at + 1]! + number[at]!),
  ).filter((npi) => isAssignableNpi(npi));
}

/** Lists the possible NPIs with one other digit: at most one for each place. */
function replaced(number: string): number[] {
  return Array.from({ length: DIGITS }, (_, at) =>
    EACH_DIGIT.map((digit) => replacing(number, at, digit)).find((npi) =>
      isAssignableNpi(npi),
    ),
  ).filter((npi) => npi !== undefined);
}

/** Replaces some digits of a number, from a place on. */
function replacing(number: string, at: number, digits: string): number {
  return Number(
    number.slice(0, at) + digits + number.slice(at + digits.length),
  );
}
