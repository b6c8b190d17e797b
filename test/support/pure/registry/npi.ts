/**
 * True if a value is an NPI by the published rule: ten digits, Luhn over 80840 and the NPI. Independent of the
 * product's code, so tests do not ask the code whether it is right.
 */
export function isNpi(value: string): boolean {
  if (!/^[0-9]{10}$/.test(value)) return false;
  const digits = Array.from(`80840${value}`).reverse().map(Number);
  // Every second digit from the right is doubled; a two-digit result counts as the sum of its digits.
  const counted = digits.map((digit, place) =>
    place % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2,
  );
  return counted.reduce((sum, digit) => sum + digit, 0) % 10 === 0;
}
