import type { TaxonomyTable } from "../reference/taxonomy-table.ts";
import { Choice, rowsOf, wordOf, words, type Words } from "./choice.ts";
import { Random } from "./random.ts";

export type Kind = "individuals" | "organizations";

/** The number of codes that are a primary taxonomy in the whole registry. */
const PRIMARY_TAXONOMIES = 711;
/** The share of records with a rare code, as in the registry's weekly files. */
const RARE_SHARE = { individuals: 0.095, organizations: 0.182 };
/** Codes with these prefixes are for organizations in NUCC's table. */
const ORGANIZATION_CODE = /^(2[5-9]|3[0-4]|38)/;
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWX";

/**
 * Common taxonomies, and how often they are the primary one: CODE/INDIVIDUALS/ORGANIZATIONS, counted in three of the
 * registry's weekly files (January 2024, 66,346 records with details), for the codes of the built-in table.
 */
const SHARES: ReadonlyMap<string, Readonly<Record<Kind, number>>> = new Map(
  `
101Y00000X/699/56 101YA0400X/727/34 101YM0800X/2705/419 101YP2500X/1593/254 103K00000X/1002/193 103T00000X/223/44
103TC0700X/370/121 104100000X/1071/32 1041C0700X/2372/351 106E00000X/125/2 106H00000X/1094/126 106S00000X/5397/6
111N00000X/525/225 122300000X/317/107 1223G0001X/365/203 1223P0221X/66/32 124Q00000X/75/0 133V00000X/413/66
152W00000X/287/157 163W00000X/1056/9 163WH0200X/126/5 163WP0808X/100/1 164W00000X/357/2 171100000X/159/46 171M00000X/1286/21
172V00000X/759/11 174400000X/169/56 175T00000X/351/7 183500000X/730/5 207L00000X/308/44 207N00000X/99/26 207P00000X/386/49
207Q00000X/1121/376 207R00000X/960/271 207RC0000X/182/48 207RG0100X/142/34 207RH0003X/113/19 207RI0200X/74/18
207RN0300X/104/19 207RP1001X/90/23 207T00000X/76/21 207V00000X/259/51 207W00000X/184/108 207X00000X/134/60 207Y00000X/58/14
208000000X/406/58 208100000X/104/60 2084N0400X/159/34 2084P0800X/403/153 2085R0202X/321/45 208600000X/252/44
208800000X/119/25 208D00000X/184/93 208M00000X/236/18 213E00000X/57/41 213ES0103X/62/42 224Z00000X/150/1 225100000X/1338/212
225200000X/218/1 2255A2300X/136/0 225700000X/442/35 225X00000X/701/68 231H00000X/103/11 2355S0801X/109/0 235Z00000X/926/121
237700000X/49/58 251B00000X/11/94 251E00000X/79/629 251G00000X/0/162 251S00000X/46/424 253Z00000X/69/385 261Q00000X/0/226
261QA1903X/0/144 261QD0000X/1/145 261QE0700X/0/174 261QF0400X/1/231 261QM0801X/9/406 261QM0850X/1/119 261QM1300X/1/105
261QP2000X/11/174 261QP2300X/1/106 261QU0200X/4/75 282N00000X/5/135 282NC2000X/0/1 283Q00000X/1/9 291U00000X/10/124
310400000X/12/131 314000000X/0/135 324500000X/6/89 332B00000X/12/401 333600000X/4/168 3336C0003X/3/597 3336L0003X/0/419
335E00000X/15/82 343900000X/81/205 363A00000X/2026/10 363AM0700X/336/0 363AS0400X/142/7 363L00000X/1075/54 363LA2100X/298/1
363LA2200X/221/19 363LF0000X/2816/97 363LG0600X/124/4 363LP0200X/179/1 363LP0808X/812/221 363LP2300X/138/33 363LW0102X/110/1
367500000X/539/23 367A00000X/199/4 3747P1801X/582/33 374J00000X/199/20 374U00000X/256/36 376J00000X/114/19 390200000X/1384/0`
    .trim()
    .split(/\s/)
    .map((row) => {
      const [code = "", individuals, organizations] = row.split("/");
      const counts = {
        individuals: Number(individuals),
        organizations: Number(organizations),
      };
      return [code, counts];
    }),
);

/** The specialties that users of a demo look for. */
const SOUGHT = {
  individuals:
    rowsOf(`207RC0000X 207Q00000X 207R00000X 208000000X 207N00000X 207V00000X 2084P0800X 207X00000X 207W00000X
2084N0400X 207RG0100X 208800000X 2085R0202X 208600000X 207Y00000X 207RP1001X 1223G0001X 111N00000X 152W00000X 103TC0700X
1041C0700X 225100000X 363LF0000X 363L00000X 101YM0800X 122300000X`).flat(),
  organizations:
    rowsOf(`3336C0003X 282N00000X 261QP2300X 207Q00000X 1223G0001X 251E00000X 314000000X 291U00000X 225100000X
333600000X 101YM0800X 261QU0200X`).flat(),
};

/** The trade (`organization-names.ts`) of organizations with a taxonomy; the longest prefix that fits decides. */
const TRADES = prefixTable(`
"" 133 207Q 207R0 208D 208M 363A 363L 364S 3902: medical; 101 103 104 106 17 2084P 251S 261QM 261QR0405: counseling;
103K 106S 106E 22 224Z 225X 2257 235 261QP2000: therapy; 111N 1711: chiropractic; 12 124Q 261QD: dental; 152W 207W: eye;
163W 164 251 253Z 37 385: homeCare; 172A 34: transport; 183 3336: pharmacy; 20 3675 367A: specialist; 2080: pediatric;
213E: foot; 231H 237 332 335: supply; 261Q: clinic; 28: hospital; 291: laboratory; 31 32: residence`);
/** Credentials of individuals with a taxonomy, in the same way. */
const CREDENTIALS = prefixTable(`
"": ""; 101: LPC LMHC LPCC LCPC MA,_LPC LAC LCMHC M.A. MS 4 ""; 103: PHD PH.D. PSYD PSY.D. ED.D. "";
103K: 2 BCBA 1 M.ED.,_BCBA BCBA-D ""; 104: 2 LCSW 1 LMSW LICSW MSW LSW L.C.S.W. ""; 106: 2 LMFT 1 AMFT MFT MA,_LMFT "";
106S: RBT 4 ""; 106E: BCABA 2 ""; 111N: 2 DC D.C. 1 ""; 12: 2 DDS D.D.S. 1 DMD D.M.D. DDS,_MS ""; 124Q: RDH R.D.H. "";
133: RD RDN RD,_LD MS,_RDN ""; 152W: 2 OD 1 O.D. ""; 163W: 2 RN 1 R.N. BSN,_RN ""; 164: 2 LPN 1 LVN "";
1711: LAC L.AC. DACM ""; 17: CHW CPS MA 3 ""; 183: PHARMD RPH PHARM.D. R.PH. PHARMD,_BCPS "";
20: 8 MD M.D. 2 DO D.O. 1 MD,_PHD MD_MPH M._D. MBBS ""; 213E: 2 DPM 1 D.P.M. ""; 22: PT DPT PT,_DPT PTA COTA ATC LMT "";
224Z: COTA/L COTA ""; 225X: OTR/L OT OTD,_OTR/L MS,_OTR/L ""; 2257: 2 LMT 1 ""; 231H: AUD AU.D. CCC-A "";
235: CCC-SLP MS,_CCC-SLP M.A.,_CCC-SLP SLP ""; 237: HIS BC-HIS 2 ""; 363A: 2 PA-C 1 PA P.A. PAC MPAS,_PA-C "";
363L: NP FNP FNP-C FNP-BC APRN CRNP ARNP NP-C DNP APN CNP MSN,_FNP-C PMHNP-BC ""; 364S: CNS APRN RN,_CNS "";
3675: 2 CRNA 1 C.R.N.A. MSN,_CRNA ""; 367A: 2 CNM 1 C.N.M. ""; 37: HHA CNA CD(DONA) 3 ""; 3902: MD DO 3 ""`);

/** Draws taxonomy codes, each with its share of the registry. */
export class SpecialtyMix {
  readonly #choices: Readonly<Record<Kind, Choice<string>>>;

  constructor(codes: readonly string[]) {
    this.#choices = {
      individuals: new Choice(codes, weights(codes, "individuals")),
      organizations: new Choice(codes, weights(codes, "organizations")),
    };
  }

  draw(random: Random, kind: Kind): string {
    return this.#choices[kind].draw(random);
  }
}

/** Returns a specialty that users of a demo look for; a higher number, modulo their count, is another one. */
export function soughtCode(kind: Kind, number: number): string {
  const codes = SOUGHT[kind];
  return codes[number % codes.length]!;
}

/** The facts that follow from a taxonomy code. */
export interface Specialty {
  /** The trade of an organization. */
  readonly trade: string;
  /** The credentials of individuals, to draw from. */
  readonly credentials: Words;
}

const specialties = new Map<string, Specialty>();

export function specialtyOf(code: string): Specialty {
  let found = specialties.get(code);
  if (found === undefined) {
    const credentials = words(longestPrefix(CREDENTIALS, code));
    found = { trade: longestPrefix(TRADES, code), credentials };
    specialties.set(code, found);
  }
  return found;
}

/** Returns the common codes, or only those with a name in `table`. */
export function commonCodes(table: TaxonomyTable): string[] {
  return [...SHARES.keys()].filter((code) => table.name(code) !== null);
}

/**
 * Returns the common codes followed by rare ones in random order: all of `table`, and, if it has fewer than
 * PRIMARY_TAXONOMIES, invented ones in NUCC's format.
 */
export function allCodes(table: TaxonomyTable): string[] {
  const codes = new Set(SHARES.keys());
  const families = [...new Set([...codes].map((code) => code.slice(0, 4)))];
  const random = new Random();
  random.restart(0, 0, 0);
  const named = Array.from(table.entries(), ([code]) => code);
  while (named.length > 0)
    codes.add(named.splice(random.below(named.length), 1)[0]!);
  while (codes.size < PRIMARY_TAXONOMIES) {
    const family = families[random.below(families.length)]!;
    const letter = LETTERS[random.below(LETTERS.length)]!;
    const number = random.below(30) * 100 + random.below(6);
    codes.add(`${family}${letter}${String(number).padStart(4, "0")}X`);
  }
  return [...codes];
}

/** Weights the common codes by their counts; the rare ones share RARE_SHARE by the square of their rank. */
function weights(codes: readonly string[], kind: Kind): number[] {
  let common = 0;
  let rare = 0;
  const found = codes.map((code, rank) => {
    const counts = SHARES.get(code);
    const isFitting =
      ORGANIZATION_CODE.test(code) === (kind === "organizations");
    const weight = counts?.[kind] ?? (isFitting ? 1 : 0.02) / (rank * rank);
    if (counts === undefined) rare += weight;
    else common += weight;
    return weight;
  });
  const share = RARE_SHARE[kind];
  const scale = (common * share) / (1 - share) / rare;
  return found.map((weight, rank) =>
    SHARES.has(codes[rank]!) ? weight : weight * scale,
  );
}

/** Reads rows of prefixes and their value. */
function prefixTable(table: string): ReadonlyMap<string, string> {
  return new Map(
    table.split(/;\s*/).flatMap((row) => {
      const [prefixes = "", value = ""] = row.trim().split(": ");
      return prefixes.split(" ").map((prefix) => [wordOf(prefix), value]);
    }),
  );
}

function longestPrefix(
  table: ReadonlyMap<string, string>,
  code: string,
): string {
  for (let end = code.length; end > 0; end--) {
    const value = table.get(code.slice(0, end));
    if (value !== undefined) return value;
  }
  return table.get("") ?? "";
}
