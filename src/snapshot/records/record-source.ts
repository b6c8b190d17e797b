import type { Dictionary } from "../dictionary/dictionary.ts";
import type { Places } from "../places/places.ts";
import type { RecordReader } from "./records.ts";

/** What the records of a snapshot's documents are put together from, in memory or on the disk. */
export interface RecordSource {
  /** Per document: its NPI, its kind, and the numbers of its taxonomy, name and first name; see `Snapshot`. */
  readonly npi: Uint32Array;
  readonly kinds: { readonly column: Uint8Array };
  readonly taxonomy: Uint16Array;
  readonly name: Uint32Array;
  readonly firstName: Uint32Array;
  readonly taxonomies: Dictionary;
  /** Per taxonomy number its display name, null where none is known. */
  readonly taxonomyNames: readonly (string | null)[];
  readonly lastNames: Dictionary;
  readonly organizations: Dictionary;
  readonly firstNames: Dictionary;
  readonly places: Places;
  readonly cities: Dictionary;
  readonly records: RecordReader;
}
