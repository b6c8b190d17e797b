/** Apart from `details.ts`, so that pages get no validator. */

import { PARTS } from "./provider-fields.ts";

export type DetailPart = keyof typeof PARTS;

/** Optional parts of a snapshot, in addition to its records; settings and answers use these names. */
export const DETAIL_PARTS: readonly DetailPart[] =
  Object.keys(PARTS).filter(isPart);

/** The name in `include` of all parts that an installation stores. */
export const ALL_PARTS = "all";

function isPart(name: string): name is DetailPart {
  return Object.hasOwn(PARTS, name);
}
