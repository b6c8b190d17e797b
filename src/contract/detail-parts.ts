/** Optional parts of a snapshot, in addition to its records; settings and answers use these names. */
export const DETAIL_PARTS = [
  "taxonomies",
  "other_names",
  "locations",
  "identity",
  "mailing_address",
  "identifiers",
  "endpoints",
] as const;

/** What `include` calls all parts that an installation stores. */
export const ALL_PARTS = "all";

export type DetailPart = (typeof DETAIL_PARTS)[number];
