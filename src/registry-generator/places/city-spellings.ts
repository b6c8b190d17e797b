/** Other spellings of a city's first word, each with its percentage; the usual spelling has the rest. */
const OTHER_FIRST_WORDS: Readonly<
  Record<string, readonly (readonly [spelling: string, percent: number])[]>
> = {
  SAINT: [
    ["ST", 27],
    ["ST.", 18],
  ],
  ST: [["ST.", 30]],
  FORT: [
    ["FT", 22],
    ["FT.", 4],
  ],
  MOUNT: [
    ["MT", 22],
    ["MT.", 5],
  ],
  NORTH: [["N", 6]],
};

/** The spellings of a city's name, the usual one first, with the percentage of each. */
export function citySpellings(
  city: string,
): [spelling: string, percent: number][] {
  const end = city.indexOf(" ");
  const first = city.slice(0, end);
  const others = (end === -1 ? undefined : OTHER_FIRST_WORDS[first]) ?? [];
  const otherPercent = others.reduce((sum, [, percent]) => sum + percent, 0);
  const respelled = others.map(([word, percent]): [string, number] => [
    `${word}${city.slice(end)}`,
    percent,
  ]);
  return [[city, 100 - otherPercent], ...respelled];
}
