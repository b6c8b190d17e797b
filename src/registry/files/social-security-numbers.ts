/**
 * Masks Social Security numbers that the registry published by mistake: `ddd-dd-dddd`, not part of a longer run of
 * digits or of digits and hyphens (the license number `D420-421-52-5240`), becomes `***-**-****`. The length stays the
 * same, so bytes are masked in place, before anything reads them.
 */

export const MASKED_NUMBER = "***-**-****";

const IN_TEXT = /(?<!\d-?)\d{3}-\d{2}-\d{4}(?!-?\d)/g;

/** Masks the numbers in a text: the same as in its bytes. */
export function maskText(text: string): string {
  return text.replace(IN_TEXT, MASKED_NUMBER);
}
