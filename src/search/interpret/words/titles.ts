/** Titles before names, folded. */
export const TITLES: ReadonlySet<string> = new Set(
  "DR DOCTOR MR MRS MS MISS MX PROF PROFESSOR SIR REV".split(" "),
);

/** Words for any physician. */
export const ANY_PHYSICIAN: ReadonlySet<string> = new Set(
  "DOCTOR DOCTORS PHYSICIAN PHYSICIANS".split(" "),
);

/** Suffixes of names, folded. */
export const SUFFIXES: ReadonlySet<string> = new Set(
  "JR SR II III IV ESQ".split(" "),
);

/** Degrees, licenses, and certificates after names, folded, without periods. Parts of joined ones are separate. */
export const CREDENTIALS: ReadonlySet<string> = new Set(
  (
    "MD DO DDS DMD DPM OD DC ND DVM PHD PSYD EDD PHARMD RPH DPT PT PTA OT OTR OTD COTA SLP CCC AUD RN BSN MSN LPN LVN " +
    "NP FNP ANP PNP AGNP AGPCNP PMHNP WHNP APN APRN ARNP CNP CRNP DNP CNM CRNA CNS CNA PA PAC PA-C BC MS MA MBA MPH MHA " +
    "MSW LSW LCSW LICSW LCSWR LMSW LMFT MFT LPC LCPC LPCC LMHC LCMHC LAC BCBA RBT RD RDN LD LDN RRT EMT ATC CPNP CPO " +
    "FACS FACP FACC FACOG FAAP FAAFP FACEP FACR FAAOS FACHE FASN MBBS MBCHB BDS BS BA BSC MSC MED PC"
  ).split(" "),
);

/** Letters that a credential is joined to: PA-C, OTR/L, LCSW-R, LPC-S. */
export const CREDENTIAL_PARTS: ReadonlySet<string> = new Set("ACFLPRS");

/** Credentials that are last names too. */
export const CREDENTIAL_NAMES: ReadonlySet<string> = new Set([
  "DO",
  "MA",
  "BA",
]);

/**
 * What a credential without a name stands for, if the table of everyday words doesn't have it: it has too many other
 * meanings there.
 */
export const PROFESSIONS: ReadonlyMap<string, string> = new Map([
  ["PA", "physician assistant"],
  ["PAC", "physician assistant"],
  ["OD", "optometrist"],
  ["DC", "chiropractor"],
  ["ID DOCTOR", "infectious disease doctor"],
]);
