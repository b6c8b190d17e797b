import type { NumberRange } from "../../snapshot/dictionary/dictionary.ts";

/** A number of a dictionary, and how many providers have it. */
export interface TopNumber {
  readonly number: number;
  readonly providers: number;
}

/** The numbers of a range with the most providers, at most `count`, those with the most first. */
export function topNumbers(
  { from, to }: NumberRange,
  count: number,
  providersOf: (number: number) => number,
): TopNumber[] {
  const top: TopNumber[] = [];
  let least = 0;
  for (let number = from; number < to; number++) {
    const providers = providersOf(number);
    if (providers <= least) continue;
    let at = top.length;
    while (at > 0 && top[at - 1]!.providers < providers) at--;
    top.splice(at, 0, { number, providers });
    if (top.length > count) top.pop();
    if (top.length === count) least = top.at(-1)!.providers;
  }
  return top;
}
