/** The reasons why a part of a text is in no filter that users expect: pages don't tell users about these. */
export const EXPECTED_REASONS = {
  politeness: "not about a provider",
  joining: "joins words",
  said: "already said",
  title: "a title",
  legalForm: "a legal form; names are found without it",
  nearMe: "your location is unknown; add a city or a ZIP code",
  credential: "a credential; names don't include them",
} as const;
