import type { SnapshotStore } from "../store/store.ts";

/** A folder of the store in which a snapshot is built. It goes when this is disposed of, unless it is to stay. */
export class UnfinishedBuild implements Disposable {
  readonly id: string;
  readonly dir: string;
  readonly #store: SnapshotStore;
  #stays = false;

  constructor(store: SnapshotStore, nowMs: number) {
    this.#store = store;
    this.id = store.newId(nowMs);
    this.dir = store.beginBuild(this.id);
  }

  /** Says that the folder is published or kept back. */
  stay(): void {
    this.#stays = true;
  }

  [Symbol.dispose](): void {
    if (!this.#stays) this.#store.discard(this.dir);
  }
}
