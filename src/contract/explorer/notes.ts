/** The reasons for leaving out a part of a text that users expect anyway. Pages don't show them. */
export const EXPECTED_REASONS = {
  politeness: "not about a provider",
  joining: "joins words",
  said: "already said",
  title: "a title",
  legalForm: "a legal form; names are found without it",
  nearMe: "your location is unknown; add a city or a ZIP code",
  credential: "a credential; names don't include them",
} as const;

/** The notes on one result of `/explore/search` and `/explore/nearby`, in addition to its entry in `/v1`. */
export interface ResultNotes {
  /** Of the practice address; null if the registry has none. */
  readonly address_1: string | null;
  /** Of the practice address; null if the registry has none, or if the installation doesn't store it. */
  readonly phone: string | null;
  readonly deactivation_date: string | null;
  /** The other names that match where, or better than, the record's name; at most MAX_NOTED. */
  readonly other_names: readonly NotedName[];
  /** The further specialties that match if the primary one doesn't; at most MAX_NOTED. */
  readonly other_specialties: readonly NotedSpecialty[];
}

/** An organization's name, or parts of a person's. */
export interface NotedName {
  readonly organization_name: string | null;
  readonly first: string | null;
  readonly last: string | null;
}

export interface NotedSpecialty {
  readonly code: string;
  readonly description: string | null;
}

/** The comparison of the request's texts, as far as it isn't plain from the request. */
export interface ComparedTexts {
  /** Folded: the nicknames and full forms that `first_name` also matched. */
  readonly aliases: readonly string[];
  /** Folded: the words that were searched in display names of specialties; none if the text stands for codes. */
  readonly specialty_words: readonly string[];
}

export const MAX_NOTED = 3;

/** The changes of a provider by one import, as the explorer shows them. */
export interface HistoryEntry {
  /** The day of the import, ISO 8601. */
  readonly date: string;
  readonly kind:
    "added" | "changed" | "deactivated" | "reactivated" | "removed";
  /** The changes, by path in the record; old and new value are null if unknown or not published. */
  readonly fields: readonly {
    readonly field: string;
    readonly old: unknown;
    readonly new: unknown;
  }[];
}

/** The newest entries that the explorer shows of a provider. */
export const MAX_HISTORY = 20;
