/**
 * The effect of an import on a record: `added` if the NPI is new, `removed` if a full file no longer has it,
 * `deactivated` or `reactivated` if its status changed, else `changed`.
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

/** The number of changes of each kind. */
export type ChangeCounts = Readonly<Record<ChangeKind, number>>;

/** Old and new value by field path in the API's record (`name.last`), in record order. Null: not published. */
export type ChangedFields = Readonly<
  Record<string, readonly [before: string | null, after: string | null]>
>;

/**
 * The same for details: by path (`identity.phone`), or for a list by its name (`identifiers`), with the entries that
 * are gone and those that are new. Both null: too long to store.
 */
export type ChangedDetails = Readonly<
  Record<string, readonly [before: unknown, after: unknown]>
>;

/**
 * One provider's change. `fields` is empty if the whole record was added or removed, or if only details changed; then
 * the kind is `changed`.
 */
export interface Change {
  readonly npi: string;
  readonly kind: ChangeKind;
  readonly fields: ChangedFields;
  /** Only present if details changed. */
  readonly details?: ChangedDetails;
}

/** True if a change leaves the record as it was. */
export function isOnlyDetails({ details, fields, kind }: Change): boolean {
  return (
    details !== undefined &&
    kind === "changed" &&
    Object.keys(fields).length === 0
  );
}

/** The changes of one import. */
export interface ChangeSet {
  /** Its number in the database. */
  readonly number: number;
  /** The snapshot that the import made. */
  readonly snapshot: string;
  /** The snapshot whose data was current before; null if the import did not build on any. */
  readonly base: string | null;
  /** The name of the file that was imported. */
  readonly file: string;
  /** The ISO date up to which that file covers the registry; null for demo data, and if its name has no date. */
  readonly dataDate: string | null;
  /** The UTC day on which this installation imported the data, `YYYY-MM-DD`; never before that of the base. */
  readonly appliedOn: string;
  /** Of records. */
  readonly counts: ChangeCounts;
  /** Characters of changed details in the database. */
  readonly details: number;
  /**
   * True if the changes are stored. Otherwise, the set only marks the start of the list: the first import, demo data,
   * or too many changes for one list.
   */
  readonly isListed: boolean;
}

export function noChanges(): Record<ChangeKind, number> {
  return { added: 0, changed: 0, deactivated: 0, reactivated: 0, removed: 0 };
}

export function countAll(counts: ChangeCounts): number {
  return CHANGE_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
}

/** Lists changed details as answers show them. */
export function changedDetailsList(
  details: ChangedDetails,
): { field: string; old: unknown; new: unknown }[] {
  return Object.entries(details).map(([field, [before, after]]) => ({
    field,
    old: before,
    new: after,
  }));
}
