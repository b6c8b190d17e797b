/** The parts of the registry's files that a snapshot may hold besides its records, as settings and answers name them. */
export const DETAIL_PARTS = [
  "taxonomies",
  "other_names",
  "locations",
  "identity",
] as const;

export type DetailPart = (typeof DETAIL_PARTS)[number];
