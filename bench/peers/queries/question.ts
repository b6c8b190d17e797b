/** A question of the API, in the form that every system is asked it: values as a client sends them, not folded. */
export type Question =
  | { kind: "npi"; npi: string }
  | { kind: "zip"; zip: string }
  | { kind: "city"; city: string; state: string }
  | { kind: "specialty"; specialty: string; state: string }
  | { kind: "taxonomy"; taxonomy: string }
  | { kind: "lastName"; last_name: string }
  | { kind: "name"; name: string }
  | { kind: "organization"; organization: string }
  | {
      kind: "nearby";
      /** Decimal degrees. */
      lat: number;
      lng: number;
      radiusMiles: number;
      /** Null asks for all of them. */
      taxonomy: string | null;
    }
  | { kind: "all"; page: number };

/** Providers around a point. */
export type Nearby = Extract<Question, { kind: "nearby" }>;
/** Providers that a filter admits, with a total. */
export type Filtered = Exclude<Question, { kind: "npi" | "nearby" | "all" }>;

/** Questions of one sort, timed together. */
export interface QuestionClass {
  title: string;
  /** All of them different. */
  questions: Question[];
  /** Asked before the clock runs; none of them is among `questions`. */
  warmUp: Question[];
}

/** What a system answers; the entries themselves are read and dropped. */
export interface Answer {
  /** How many providers match; null for nearby, which promises no total. */
  total: number | null;
  /** The providers of the page, in its order. */
  npis: number[];
}

/** Entries on a page of a search. */
export const PAGE_LIMIT = 25;
/** Entries on a page of all providers. */
export const ALL_LIMIT = 100;
