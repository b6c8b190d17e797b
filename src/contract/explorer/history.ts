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
