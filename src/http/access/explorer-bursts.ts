import {
  IpRateLimiter,
  type IpRateLimiterMemory,
} from "../limits/ip-rate-limiter.ts";

/**
 * What an answer of the explorer counts as. A question counts as one page, however many requests it takes:
 *
 * - `page`: its list, or a provider. Counts as a page of the account's month.
 * - `part`: what is shown with a list, such as its map. Counts as nothing, but is refused once the month is used up.
 * - `keystroke`: what is suggested while a user types. Counts as nothing, and shows no provider.
 *
 * Each has its own burst limit, so typing doesn't use up the pages' limit.
 */
export type ExplorerCost = "page" | "part" | "keystroke";

/** Requests per second for each one that is allowed for pages. */
const TIMES: Readonly<Record<ExplorerCost, number>> = {
  page: 1,
  part: 4,
  keystroke: 2,
};

/** The burst limits of the explorer, for client addresses and for accounts. */
export type ExplorerBursts = Readonly<Record<ExplorerCost, IpRateLimiter>>;

/** Makes them in the same memory: each has its own buckets there. */
export function explorerBursts(
  { cells, salt }: IpRateLimiterMemory,
  pagesPerSecond: number,
): ExplorerBursts {
  const of = (cost: ExplorerCost): IpRateLimiter =>
    new IpRateLimiter(
      { cells, salt: `${cost} ${salt}` },
      pagesPerSecond * TIMES[cost],
    );
  return { page: of("page"), part: of("part"), keystroke: of("keystroke") };
}
