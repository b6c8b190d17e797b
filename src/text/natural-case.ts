/**
 * The rules by which pages and emails capitalize names and addresses that the registry has in upper case. The API's answers stay as
 * the registry has them.
 *
 * 1. A text with a small letter stays as it is.
 * 2. A word has one capital, and so has each part of it between hyphens and other punctuation: `Smith-Jones`.
 * 3. `Mc` and an apostrophe are followed by a capital: `McDonald`, `O'Brien`, but `Children's`. So is `Mac`
 *    in `MAC_NAMES`.
 * 4. A single letter, a Roman numeral and a word without a vowel stay in capitals: `J`, `III`, `PLLC`. In names of
 *    persons and cities, only one of two letters does.
 * 5. Small words between others are small: `City of Hope`. Ordinals are too: `1st`.
 * 6. Each kind of text has exceptions, in upper case as the registry has them: `Inc`, `St`, but `MRI`, `USA`.
 *
 * Only the case of letters changes, and only if it can be changed back, so `fold` gives the same as before.
 */

import { LONG_FORMS } from "./fold.ts";

/** Roman numerals of more than one letter; `XI` is also a name. */
const NUMERAL = /^(?!XI$)(?:X{1,3}L?|XL)?(?:I{2,3}|IV|VI{0,3}|IX|I)$/;

/** Two consonants that start English words or usual surnames. */
const FIRST_CONSONANTS =
  /^(?:B[LR]|C[HLRZ]|D[RW]|F[LR]|G[HLNR]|K[HLNR]|MC|P[FHLRST]|RH|S[CHKLMNPQRTVWZ]|T[HRSW]|VL|W[HR]|Z[HL])/;

/** `1ST`, `102ND`. */
const ORDINAL = /^\d+(?:ST|ND|RD|TH)$/;

/** After an apostrophe: `CHILDREN'S`, `DON'T`. */
const CONTRACTIONS = words("S T D M RE LL VE ALL");

/** Small between other words: `CITY OF HOPE`. */
const SMALL_IN_ORGANIZATION = words(
  "OF AND THE FOR IN AT BY TO ON WITH OR AN FROM",
);
const SMALL_IN_ADDRESS = words("OF AND THE AT IN");
const SMALL_IN_CITY = words("OF AND THE IN ON BY OR AT DE DEL DU D SUR");

/** The words that follow a small `A`: `A PROFESSIONAL CORPORATION`, but `JOHN A SMITH`. */
const AFTER_SMALL_A = /^ (?:DENTAL|MEDICAL|PROFESSIONAL) /;

/** A second capital: `MacDonald`. Most other names have none: Mack, Macias, Machado. */
const MAC_NAMES = words(`
  MACADAM MACALLISTER MACARTHUR MACAULAY MACBETH MACBRIDE MACCALLUM MACCARTHY MACCORMACK MACDERMOTT MACDILL
  MACDONALD MACDONELL MACDONNELL MACDOUGAL MACDOUGALL MACDOWELL MACDUFF MACEACHERN MACEWAN MACEWEN MACFADDEN
  MACFARLAN MACFARLAND MACFARLANE MACGILLIVRAY MACGREGOR MACINNES MACINNIS MACINTOSH MACINTYRE MACISAAC MACIVER
  MACKINNON MACLACHLAN MACLAREN MACLAUGHLIN MACLEAN MACLELLAN MACLENNAN MACLEOD MACMAHON MACMANUS MACMASTER
  MACMILLAN MACMULLEN MACNAB MACNAMARA MACNAUGHTON MACNEAL MACNEIL MACNEILL MACPHAIL MACPHEE MACPHERSON MACQUARRIE
  MACQUEEN MACRAE MACRITCHIE MACSWAIN MACTAGGART MACTAVISH MACVICAR MACWILLIAMS
`);

/** All capitals, though they have a vowel, or more letters than a person's initials. */
const CAPITALS_IN_PERSON = words(
  "DDS DMD DPM FNP LCPC LCSW LLC LMFT LMHC LPC MBA MSW PHD PLLC PMHNP",
);
const CAPITALS_IN_ORGANIZATION = words(`
  AA AAA ABA ADHD AFB AHF AI AL AOTC APC APMC APN APNP APRN AR ARNP ASC ATI AUD AZ BCBA CA CAO CCO CEO CFO CIO CMO
  CNA COO COPD COVID CPA CPAP CSI DBA DME DO DVA EAP EEG EENT EHR EKG EMDR EMG EMR EMS EMT ENT ER ESRD EVP GA GI GYN
  HCA HIM HIV HMO HVAC IA IBCLC ICF ICU IHS IL IOP IPA ISD IVF KY LCSWA LICSW LISW LMFTA LPCA LTAC MA MBA MPA
  MRI MUA NA NASA NEMT NY OB OBGYN OD OH OHSU OK OMFS OMS OT OTA OTD PA PAC PACU PHARMD PHO PPO PSYD PTA PTSD RCA
  ROTC SAMHSA SUD TBI TMJ UAB UAMS UC UCI UCLA UCSD UCSF UK UMMC UNC UNM UPMC UPS US USA USAF USC USF UT UTMB UVA VA
  VAMC VIP VNA WA WI WIC YMCA YWCA
`);
const CAPITALS_IN_ADDRESS = words(`
  AFB APO DPO FPO IH NASA NE OHSU PO SE SR UAMS UCI UCLA UCSD UCSF UNC UPMC US USAF USC USF UW VA VAMC
`);
const CAPITALS_IN_CITY = words(
  "AAF AFB APO DPO FPO JBER JBSA MCAS NAS USAF USMC",
);

/** One capital, though they have no vowel. */
const SPOKEN_IN_PERSON = words("DR JR MC MR MRS MS NG SR ST");
const SPOKEN_IN_ORGANIZATION = words(`
  ASSN BLVD BROS CNTR CNTRS CNTY CTR CTRS DR DRS FT GRP HLTH HWY JR LN LTD MC MGMT MR MRS MT NG NTL PHCY PKWY RD RX
  SCHL SPGS SPRGS SR SRVC SRVCS ST STS SVC SVCS TR TWP
`);
const SPOKEN_IN_ADDRESS = words(`
  BCH BLDG BLDGS BLF BLVD BND BR BRG BRK CMN CMNS CNTR CRK CT CTR CTRS CV DR DRS FL FLD FLDS FLS FRK FRNT FT FWY GLN GRN GTWY
  GRV HBR HL HLS HTS HWY JCT JR KNL KNLS LDG LK LKS LN LNDG MC MDW MDWS MNR MT MTN MTNS PK PKWY PKWYS PL PLN PLNS PLZ
  PRT PT PTS RD RDG RDGS RDS RM RNCH RPDS RTE SCH SHR SHRS SPC SPG SPGS SPRGS SQ SQS ST STN STR STRM STS SVC SVCS TR
  TRCE TRFY TRK TRL TRLR TRLS TRWY TWP TWR TWRS VLG VLGS VW VWS WLK XRD XRDS
`);
const SPOKEN_IN_CITY = words("FT HL LK MC MT PK PL PT ST");

/** In addresses, also before a number: `STE200`. */
const UNITS = words("APT BLDG FL LOT RM STE");

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** The kind of thing that a text names. A job title has the rules of an organization. */
export type NameKind = "person" | "organization" | "address" | "city";

interface CaseRules {
  readonly small: ReadonlySet<string>;
  readonly capitals: ReadonlySet<string>;
  /** One capital, though they have no vowel. */
  readonly spoken: ReadonlySet<string>;
  /** The number of letters that a word without a vowel may have to stay in capitals. */
  readonly longestAbbreviation: number;
}

const RULES: Readonly<Record<NameKind, CaseRules>> = {
  person: {
    small: new Set(),
    capitals: CAPITALS_IN_PERSON,
    spoken: SPOKEN_IN_PERSON,
    longestAbbreviation: 2,
  },
  organization: {
    small: SMALL_IN_ORGANIZATION,
    capitals: CAPITALS_IN_ORGANIZATION,
    spoken: SPOKEN_IN_ORGANIZATION,
    longestAbbreviation: Infinity,
  },
  address: {
    small: SMALL_IN_ADDRESS,
    capitals: CAPITALS_IN_ADDRESS,
    spoken: SPOKEN_IN_ADDRESS,
    longestAbbreviation: Infinity,
  },
  city: {
    small: SMALL_IN_CITY,
    capitals: CAPITALS_IN_CITY,
    spoken: SPOKEN_IN_CITY,
    longestAbbreviation: 2,
  },
};

const SMALL_LETTER = /\p{Ll}/u;
/** With apostrophes in it. */
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’`´][\p{L}\p{N}\p{M}]+)*/gu;
/** The parts between its apostrophes. */
const PART = /[^'’`´]+/gu;
const LETTERS = /\p{L}+/gu;
const LETTER = /\p{L}/gu;
const AFTER_FIRST = /(?<=^.).+/su;
const DIGIT = /\p{N}/u;
/** Letters outside ASCII may be vowels, too. */
const VOWEL = /[AEIOUY\u0080-\u{10ffff}]/u;
const TWO_CONSONANTS = /^[B-DF-HJ-NP-TV-XZ]{2}/;
/** The text before the first word, or before one that starts again: `HOSPITAL - THE HEIGHTS`, `100 THE ALAMEDA`. */
const NEW_START = /(?:^[\d\s]*|[-:;(/]\s+)$/;
/** A longer part before an apostrophe is a whole word: `Children's`. */
const LONGEST_PREFIX = 2;
/** Longer words with unusual first letters are foreign names, not codes. */
const LONGEST_CODE = 4;
/** With fewer letters next to a number, they are a code: `A4L`. */
const MIN_LETTERS_OF_WORD = 4;

/** Capitalizes a name or a line of an address. */
export function naturalCase(text: string, kind: NameKind): string {
  if (SMALL_LETTER.test(text)) return text;
  return text.replace(WORD, (word: string, at: number) => {
    if (isSmallWord(text, at, word, kind)) return toSmall(word);
    const isWithD = kind === "city" && at > 0 && /^D['’]/.test(word);
    return word.replace(PART, (part: string, within: number) => {
      if (isWithD && within === 0) return toSmall(part);
      return within === 0
        ? caseWord(part, RULES[kind])
        : caseAfterApostrophe(part, within, kind);
    });
  });
}

/** True if a word is between two others, both with spaces or both with hyphens, and one of the small ones. */
function isSmallWord(
  text: string,
  at: number,
  word: string,
  kind: NameKind,
): boolean {
  const end = at + word.length;
  if (kind === "organization" && word === "A")
    return at > 0 && AFTER_SMALL_A.test(text.slice(end));
  const before = text.charAt(at - 1);
  return (
    RULES[kind].small.has(word) &&
    /[ -]/.test(before) &&
    text.charAt(end) === before &&
    !NEW_START.test(text.slice(0, at))
  );
}

function caseWord(word: string, rules: CaseRules): string {
  if (ORDINAL.test(word)) return toSmall(word);
  if (DIGIT.test(word))
    return word.replace(LETTERS, (letters) =>
      UNITS.has(letters) ||
      (letters.length >= MIN_LETTERS_OF_WORD && VOWEL.test(letters))
        ? capital(letters)
        : letters,
    );
  const isCapitals =
    NUMERAL.test(word) ||
    rules.capitals.has(word) ||
    (!rules.spoken.has(word) && isAbbreviation(word, rules));
  return isCapitals ? word : capital(word);
}

function isAbbreviation(word: string, rules: CaseRules): boolean {
  const { longestAbbreviation: longest } = rules;
  if (!VOWEL.test(word)) return word.length <= longest;
  return (
    longest === Infinity &&
    word.length <= LONGEST_CODE &&
    TWO_CONSONANTS.test(word) &&
    !FIRST_CONSONANTS.test(word)
  );
}

/** Writes a part of a word after an apostrophe: `O'BRIEN` and `DE'ANDRE` have a name there, `CHILDREN'S` an ending. */
function caseAfterApostrophe(part: string, at: number, kind: NameKind): string {
  const isEnding =
    part.length === 1 ||
    (kind !== "person" && (at - 1 > LONGEST_PREFIX || CONTRACTIONS.has(part)));
  return isEnding ? toSmall(part) : caseWord(part, RULES[kind]);
}

function capital(word: string): string {
  if (MAC_NAMES.has(word)) return `Mac${capital(word.slice(3))}`;
  return /^MC\p{L}{2}/u.test(word)
    ? `Mc${capital(word.slice(2))}`
    : word.replace(AFTER_FIRST, toSmall);
}

/** Converts to small letters, except one whose small letter has another capital. */
function toSmall(text: string): string {
  return text.replace(LETTER, (letter) => {
    const small = letter.toLowerCase();
    return small.toUpperCase() === letter ? small : letter;
  });
}

/** A short word of a city before another word. */
const SHORT_WORD = /\b(St|Mt|Ft)\b\.?(?=[ -])/giu;

/** A word in capitals. One of two letters may be initials: `AJ Smith`. */
const CAPITALS = /(?<!\p{L})\p{Lu}{3,}(?!\p{L})/u;

/**
 * Writes a typed name or city for pages: `st paul` as `Saint Paul`, `o'brien` as `O'Brien`. One with both small letters
 * and capitals keeps them; a person's or a city's does not if a whole word is in capitals (`jane SMITH`).
 */
export function typedCase(typed: string, kind: NameKind): string {
  const isSmall = typed === typed.toLowerCase();
  const isMixed = kind !== "organization" && CAPITALS.test(typed);
  const text = naturalCase(
    isSmall || isMixed ? typed.toUpperCase() : typed,
    kind,
  );
  return kind === "city" ? text.replace(SHORT_WORD, longForm) : text;
}

function longForm(match: string, word: string): string {
  return naturalCase(LONG_FORMS.get(word.toUpperCase()) ?? match, "city");
}
