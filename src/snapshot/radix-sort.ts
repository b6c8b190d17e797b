const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;

/** The indexes 0 to `count` - 1 in ascending order of `keys`, equal keys in ascending order of index. */
export function orderByKey(keys: Uint32Array, count: number): Uint32Array {
  let order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  let target = new Uint32Array(count);
  for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
    const next = new Uint32Array(DIGITS + 1);
    for (let i = 0; i < count; i++)
      next[((keys[i]! >>> shift) & (DIGITS - 1)) + 1]!++;
    for (let digit = 0; digit < DIGITS; digit++)
      next[digit + 1]! += next[digit]!;
    for (let i = 0; i < count; i++) {
      const index = order[i]!;
      target[next[(keys[index]! >>> shift) & (DIGITS - 1)]!++] = index;
    }
    [order, target] = [target, order];
  }
  return order;
}

/** `items` in ascending order of `groupOf[item]`, items of one group in their given order. Groups are 0 to `groups` - 1. */
export function orderByGroup(
  items: Uint32Array,
  groupOf: Uint32Array,
  groups: number,
): Uint32Array {
  const next = new Uint32Array(groups + 1);
  for (const item of items) next[groupOf[item]! + 1]!++;
  for (let group = 0; group < groups; group++) next[group + 1]! += next[group]!;
  const order = new Uint32Array(items.length);
  for (const item of items) order[next[groupOf[item]!]!++] = item;
  return order;
}
