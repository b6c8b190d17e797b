/** Optional parts of a snapshot, in addition to its records; settings and answers use these names. */
export const DETAIL_PARTS = [
  "taxonomies",
  "other_names",
  "locations",
  "identity",
] as const;

export type DetailPart = (typeof DETAIL_PARTS)[number];
