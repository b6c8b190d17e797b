/**
 * What an import did to a record: `added` where the NPI was not held before, `removed` where a full file lacks it,
 * `deactivated` and `reactivated` where its status is another, else `changed`.
 */
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** In the order of their numbers in the database. */
export const CHANGE_KINDS = [
  "added",
  "changed",
  "deactivated",
  "reactivated",
  "removed",
] as const;

/** How many changes there are of each kind. */
export type ChangeCounts = Readonly<Record<ChangeKind, number>>;

/** Old and new value by the path of a field in the API's record (`name.last`), in its order. Null is the registry's silence. */
export type ChangedFields = Readonly<
  Record<string, readonly [before: string | null, after: string | null]>
>;

/** One provider's change. `fields` is empty where the record was added or removed as a whole. */
export interface Change {
  readonly npi: string;
  readonly kind: ChangeKind;
  readonly fields: ChangedFields;
}

/** What one import changed. */
export interface ChangeSet {
  /** Its number in the database. */
  readonly number: number;
  /** The snapshot that the import made. */
  readonly snapshot: string;
  /** The snapshot whose data were current before; null for an import that built on none. */
  readonly base: string | null;
  /** The name of the file that was imported. */
  readonly file: string;
  /** The day to which that file reaches, ISO 8601; null for invented data, and where its name tells none. */
  readonly dataDate: string | null;
  /** The UTC day on which this installation took the data up, `YYYY-MM-DD`; never before that of the base. */
  readonly appliedOn: string;
  readonly counts: ChangeCounts;
  /**
   * Whether each change is kept. Otherwise the set only marks where the list begins: the first import, demo data, or more
   * changes than one list takes.
   */
  readonly isListed: boolean;
}

export function noChanges(): Record<ChangeKind, number> {
  return { added: 0, changed: 0, deactivated: 0, reactivated: 0, removed: 0 };
}

export function countAll(counts: ChangeCounts): number {
  return CHANGE_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
}
