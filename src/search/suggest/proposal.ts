import type { InterpretedFilters } from "../../contract/interpret.ts";
import type { CompletionKind } from "../../contract/explorer/suggest.ts";
import type { LastTokens } from "./last-tokens.ts";

/** A completion before it is known what the whole text finds. */
export interface Proposal {
  readonly kind: Exclude<CompletionKind, "npi">;
  /** The end of the text that it completes. */
  readonly tokens: LastTokens;
  /** The text that takes the place of the phrase. */
  readonly text: string;
  readonly label?: string;
  /** The approximate number of providers that have it: only for the order. */
  readonly providers: number;
  /**
   * The filters that the text before it must not have, and the text with it must: other senses of the words are not
   * suggested.
   */
  readonly filters: InterpretedFilters;
}

/** The proposals with the most providers, the first of each text. */
export function most(
  proposals: readonly Proposal[],
  count: number,
): Proposal[] {
  return proposals
    .toSorted((a, b) => b.providers - a.providers || (a.text < b.text ? -1 : 1))
    .slice(0, count);
}
