/** The same function, which keeps at most `most` of its last answers, and forgets all of them for another one. */
export function recent<Asked extends readonly (number | string)[], T>(
  most: number,
  find: (...asked: Asked) => T,
): (...asked: Asked) => T {
  const known = new Map<string, T>();
  return (...asked) => {
    const key = asked.join(" ");
    let found = known.get(key);
    if (found === undefined) {
      found = find(...asked);
      if (known.size === most) known.clear();
      known.set(key, found);
    }
    return found;
  };
}
