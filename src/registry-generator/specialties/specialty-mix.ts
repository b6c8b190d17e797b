import type { TaxonomyTable } from "../../reference/taxonomy-table.ts";
import { Random } from "../random.ts";
import { SkewedChoice } from "../skewed-choice.ts";
import { SPECIALTY_SHARES } from "./specialty-shares.ts";
import { WordPool } from "../names/word-pool.ts";

/** The number of codes that are a primary taxonomy in the whole registry. */
const PRIMARY_TAXONOMIES = 711;

/** The share of records with a rare code, as in the registry's weekly files. */
const RARE_SHARE_OF_INDIVIDUALS = 0.095;
const RARE_SHARE_OF_ORGANIZATIONS = 0.182;
/**
 * Codes with these prefixes are for organizations in NUCC's table: agencies, facilities, laboratories, suppliers,
 * transport.
 */
const ORGANIZATION_CODE = /^(2[5-9]|3[0-4]|38)/;
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWX";

/** The codes in use and how often each is drawn: common ones as counted, rare ones by the square of their rank. */
export class SpecialtyMix {
  readonly codes: readonly string[];
  /** The bytes of the codes, in the same order. */
  readonly pool: WordPool;
  readonly #individuals: SkewedChoice;
  readonly #organizations: SkewedChoice;

  constructor(codes: readonly string[]) {
    this.codes = codes;
    this.pool = new WordPool(codes);
    const shares = new Map(
      SPECIALTY_SHARES.map(([code, ...counts]) => [code, counts]),
    );
    const common = codes.map((code) => shares.get(code) ?? null);
    this.#individuals = new SkewedChoice(
      weights(codes, common, 0, RARE_SHARE_OF_INDIVIDUALS),
    );
    this.#organizations = new SkewedChoice(
      weights(codes, common, 1, RARE_SHARE_OF_ORGANIZATIONS),
    );
  }

  /** A code number for an individual or an organization. */
  draw(random: Random, isOrganization: boolean): number {
    return (isOrganization ? this.#organizations : this.#individuals).draw(
      random,
    );
  }
}

/** The common codes, or only those with a name in `table`. */
export function commonCodes(table: TaxonomyTable): string[] {
  return SPECIALTY_SHARES.map(([code]) => code).filter(
    (code) => table.name(code) !== null,
  );
}

/**
 * The common codes followed by rare ones, PRIMARY_TAXONOMIES in all: codes of `table`, and, if it has too few, invented
 * ones in NUCC's format.
 */
export function allCodes(table: TaxonomyTable): string[] {
  const codes = new Set(SPECIALTY_SHARES.map(([code]) => code));
  const families = [...new Set([...codes].map((code) => code.slice(0, 4)))];
  const random = new Random();
  random.restart(0, 0, 0);
  const named = Array.from(table.entries(), ([code]) => code).filter(
    (code) => !codes.has(code),
  );
  while (codes.size < PRIMARY_TAXONOMIES && named.length > 0) {
    codes.add(named.splice(random.below(named.length), 1)[0]!);
  }
  while (codes.size < PRIMARY_TAXONOMIES) {
    const family = families[random.below(families.length)]!;
    const letter = LETTERS[random.below(LETTERS.length)]!;
    codes.add(
      `${family}${letter}${String(random.below(30) * 100 + random.below(6)).padStart(4, "0")}X`,
    );
  }
  return [...codes];
}

function weights(
  codes: readonly string[],
  common: readonly (readonly number[] | null)[],
  column: 0 | 1,
  rareShare: number,
): Float64Array {
  const result = new Float64Array(codes.length);
  let commonTotal = 0;
  let rareTotal = 0;
  codes.forEach((code, rank) => {
    const counts = common[rank] ?? null;
    const belongs = ORGANIZATION_CODE.test(code) === (column === 1);
    const weight =
      counts === null ? (belongs ? 1 : 0.02) / (rank * rank) : counts[column]!;
    result[rank] = weight;
    if (counts === null) rareTotal += weight;
    else commonTotal += weight;
  });
  if (rareTotal === 0) return result;
  const scale = (commonTotal * rareShare) / (1 - rareShare) / rareTotal;
  return result.map((weight, rank) =>
    common[rank] === null ? weight * scale : weight,
  );
}
