import type { Snapshot } from "../../snapshot/snapshot.ts";
import { commonCodesOf } from "../aliases/common-specialties.ts";
import { isKind } from "../interpret/lexicon.ts";
import type { Proposal } from "./proposal.ts";
import { topNumbers } from "./names.ts";
import type { LastTokens } from "./last-tokens.ts";

const MOST = 5;
/** Shorter starts are of too many organizations. */
const MIN_LETTERS = 3;
const MIN_WORD_LETTERS = 5;
/** A word of a name says as much as a name that a fourth as many have. */
const PROVIDERS_PER_WORD = 4;

/** Organizations whose name starts with the typed phrase, and words of names that do. */
export function* organizationsFor(
  snapshot: Snapshot,
  tokens: LastTokens,
): Generator<Proposal, void> {
  if (tokens.phrase.length < MIN_LETTERS) return;
  const { lastNames, nameDocs, organizations } = snapshot;
  const prefix = Buffer.from(tokens.phrase);
  const named = topNumbers(organizations.withPrefix(prefix), MOST, (number) => {
    const at = number + lastNames.count;
    return nameDocs.starts[at + 1]! - nameDocs.starts[at]!;
  });
  for (const { number, providers } of named)
    yield proposalOf(tokens, organizations.spelling(number) ?? "", providers);
  if (tokens.size > 1) return;
  const { organizationWordField, organizationWords } = snapshot;
  const { starts } = organizationWordField.docs;
  const parts = topNumbers(
    organizationWords.withPrefix(prefix),
    MOST,
    (number) => starts[number + 1]! - starts[number]!,
  );
  for (const { number, providers } of parts) {
    const word = organizationWords.folded(number);
    // Words of nearly all organizations say nothing.
    if (
      word.length >= MIN_WORD_LETTERS &&
      !isKind(word, "organization") &&
      commonCodesOf(word) === null
    )
      yield proposalOf(tokens, word, providers / PROVIDERS_PER_WORD);
  }
}

function proposalOf(
  tokens: LastTokens,
  text: string,
  providers: number,
): Proposal {
  const filters = { organization: text };
  return { kind: "organization", tokens, text, providers, filters };
}
