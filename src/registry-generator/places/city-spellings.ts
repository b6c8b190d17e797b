/** Other ways to write the first word of a city, each with how often it is chosen; the word itself has the rest of 100. */
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

/** The ways in which a city's name is written, the usual one first, with the percentage of each. */
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
