/** A small registry whose imports record their changes, on days that a test chooses. */

import type { Change, ChangeSet } from "../../../../src/changes/change.ts";
import { ChangeReader } from "../../../../src/changes/change-reader.ts";
import { recordChanges } from "../../../../src/changes/record-changes.ts";
import type { ImportRequest } from "../../../../src/importing/import-registry.ts";
import type { RawRow } from "./raw-row.ts";
import { SmallRegistry } from "./small-registry.ts";

export class ChangingRegistry implements Disposable {
  readonly registry = new SmallRegistry();
  readonly store = this.registry.store;
  readonly reader = new ChangeReader(this.store.dataDir);
  keepDays = 400;
  maxChangesPerSet = 1_000;

  /** Imports rows on a day at noon and returns the new snapshot's id. */
  async import(
    name: string,
    day: string,
    rows: readonly RawRow[],
    options: Partial<ImportRequest> = {},
  ): Promise<string> {
    const outcome = await this.registry.import(name, rows, {
      ...this.recording(day),
      ...options,
    });
    if (outcome.status !== "imported") throw new Error(outcome.message);
    return outcome.id;
  }

  /** Options of an import that records its changes. */
  recording(day: string): Pick<ImportRequest, "now" | "onBuilt"> {
    const now = () => Date.parse(`${day}T12:00:00Z`);
    const { keepDays, maxChangesPerSet, store } = this;
    return {
      now,
      onBuilt: (built) =>
        void recordChanges(built, { store, now, keepDays, maxChangesPerSet }),
    };
  }

  /** The sets that lead to the current snapshot. */
  sets(): readonly ChangeSet[] {
    return this.reader.lineage(this.store.currentId() ?? "").sets;
  }

  /** The changes of the last import. */
  lastChanges(): Change[] {
    const last = this.sets().at(-1);
    return last === undefined ? [] : [...this.reader.changes(last, null)];
  }

  [Symbol.dispose](): void {
    this.reader[Symbol.dispose]();
    this.registry[Symbol.dispose]();
  }
}
