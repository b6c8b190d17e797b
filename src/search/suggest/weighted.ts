import type { CompletionKind } from "../../contract/explorer/suggest.ts";
import type { Proposal } from "./proposal.ts";
import { isWhole } from "./typed-end.ts";

/** How many times as often users look for a kind as its number of providers says. */
export const WEIGHTS: Readonly<Record<CompletionKind, number>> = {
  npi: 1,
  name: 1,
  organization: 4,
  specialty: 4,
  place: 1,
};
/** The same for a text that is typed whole, and for each further word that it completes. */
const TIMES_WHOLE = 3;
const TIMES_PER_WORD = 10;

/** A proposal, and how likely it is, apart from how many it finds. */
export interface Weighted {
  readonly proposal: Proposal;
  readonly weight: number;
}

/** Proposals for a part of all providers, weighted, `times` more. */
export function weighted(
  proposals: Iterable<Proposal>,
  part: number,
  times = 1,
): Weighted[] {
  return Array.from(proposals, (each) => ({
    proposal: { ...each, providers: each.providers * part },
    weight: weightOf(each) * times,
  }));
}

/** How likely a proposal is: with its total, if that is known. */
export function scoreOf(
  { proposal, weight }: Weighted,
  total = proposal.providers,
): number {
  return weight * total;
}

function weightOf({ end, kind, text }: Proposal): number {
  const times = isWhole(end, text) ? TIMES_WHOLE : 1;
  return WEIGHTS[kind] * times * TIMES_PER_WORD ** (end.size - 1);
}
