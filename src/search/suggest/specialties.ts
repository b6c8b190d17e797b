import type {
  SpecialtyText,
  SpecialtyTexts,
} from "../interpret/specialty-texts.ts";
import { most, type Proposal } from "./proposal.ts";
import type { TypedEnd } from "./typed-end.ts";

const MOST = 4;
/** The rest of a possessive after folding: CHILDREN S DOCTOR. */
const BROKEN = / S /;
/** Names such as Family Medicine Physician: the same without it says the same. */
const PHYSICIAN = / Physician$/;

/** The specialties whose text starts with the typed phrase. Of texts for the same taxonomies, the shortest. */
export function specialtiesFor(
  specialties: SpecialtyTexts,
  end: TypedEnd,
): Proposal[] {
  const found = new Map<string, SpecialtyText>();
  for (const each of specialties.all) {
    const { codes, folded, providers, text } = each;
    if (!folded.startsWith(end.phrase) || providers === 0) continue;
    if (BROKEN.test(text) || PHYSICIAN.test(text)) continue;
    const known = found.get(codes);
    if (known === undefined || text.length < known.text.length)
      found.set(codes, each);
  }
  return most(
    Array.from(found.values(), ({ providers, text }) => ({
      kind: "specialty",
      end,
      text,
      providers,
      filters: { specialty: text },
    })),
    MOST,
  );
}
