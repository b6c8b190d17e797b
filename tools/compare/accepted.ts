/**
 * Differences that are meant, each with its reason. Empty this list when the older program is no longer compared with.
 */
import type { Difference } from "./differences.ts";

interface Accepted {
  readonly reason: string;
  readonly applies: (difference: Difference) => boolean;
}

export const ACCEPTED: readonly Accepted[] = [];
