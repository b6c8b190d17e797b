/** The reflected polynomial of CRC-32. */
const POLYNOMIAL = 0xedb88320;
/** The polynomial 1: the highest bit is the lowest power. */
const ONE = 0x8000_0000;

/** The CRC-32 of two parts that follow each other, from the CRC-32 of each and the bytes of the second one. */
export function joinedCrc32(
  first: number,
  second: number,
  secondBytes: number,
): number {
  // Appending a byte multiplies by x to the power of 8.
  let power = ONE >>> 8;
  let shift = ONE;
  for (let rest = secondBytes; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) shift = product(shift, power);
    power = product(power, power);
  }
  return (product(shift, first) ^ second) >>> 0;
}

/** The product of two polynomials modulo that of CRC-32. */
function product(one: number, other: number): number {
  let sum = 0;
  let factor = other;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if ((one & bit) !== 0) sum ^= factor;
    factor = (factor >>> 1) ^ ((factor & 1) === 0 ? 0 : POLYNOMIAL);
  }
  return sum >>> 0;
}
