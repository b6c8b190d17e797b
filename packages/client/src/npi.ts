/** What the prefix 80840 (health, United States) adds to the Luhn sum. */
const PREFIX_SUM = 24;

/** True if a text is an NPI: ten digits, of which the last is the right check digit. It may still be unknown. */
export function isNpi(text: string): boolean {
  if (!/^[0-9]{10}$/.test(text)) return false;
  let sum = PREFIX_SUM;
  for (let at = 0; at < 10; at++) {
    const digit = Number(text[at]) * (at % 2 === 0 ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
