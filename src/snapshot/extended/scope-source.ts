/** What a search can be widened to, by the parts of the details that it is made from. */
export const SCOPE_PARTS = ["taxonomies", "other_names", "locations"] as const;
export type ScopePart = (typeof SCOPE_PARTS)[number];

/**
 * Takes what providers have besides what their records show: an NPI, then all that belongs to it. Texts are UTF-8,
 * `bytes[start, end)`, and hold during the call; an empty one is none.
 */
export interface ScopeSink {
  provider(npi: number): void;
  /** The code of a taxonomy slot; the primary one may be among them. */
  taxonomy(bytes: Uint8Array, start: number, end: number): void;
  /** Another name of an organization. */
  organization(bytes: Uint8Array, start: number, end: number): void;
  /** Another name of a person. */
  person(
    bytes: Uint8Array,
    lastStart: number,
    lastEnd: number,
    firstStart: number,
    firstEnd: number,
  ): void;
  /** The next practice location besides the primary one: its ZIP, or -1 when that tells no place in the U.S. */
  location(zip: number): void;
}

/** Where the sections of `scopes.ts` are made from. */
export interface ScopeSource {
  /** Of what the source knows anything at all. */
  readonly parts: ReadonlySet<ScopePart>;
  /** Tells what it knows of each provider, once, in any order. */
  forEach(sink: ScopeSink): void;
}
