import { ChangeReader } from "../../../changes/change-reader.ts";
import { UNLIMITED } from "../../../http/access/caller.ts";
import type { DataHolder } from "../../../http/app-context.ts";
import { validatorsBySnapshot } from "../../../http/pipeline/conditional.ts";
import { internalError, Refusal } from "../../../http/pipeline/failure.ts";
import { WorkInPieces } from "../../../http/pipeline/work-in-pieces.ts";
import { ownApi, type OwnAnswer } from "../../../http/queries/own-requests.ts";
import type { Api } from "../../../mcp/api.ts";
import type { Directory } from "../../../search/directory.ts";
import type { SnapshotStore } from "../../../store/store.ts";
import { noCurrentSnapshot, storeIn } from "../../data-folder.ts";
import { openCurrent } from "./current-directory.ts";

/** The API over a data folder, without a service: the current snapshot stays open until another one is current. */
export class FolderApi implements Api, DataHolder, Disposable {
  readonly base = null;
  readonly previous = null;
  readonly expected = { includes: () => false };
  readonly get: (target: string) => Promise<OwnAnswer>;
  readonly #store: SnapshotStore;
  readonly #changes: ChangeReader;
  #directory: Directory | null = null;

  /** Fails if there is no current snapshot. `onFault` gets errors that no one expects. */
  constructor(
    dataDir: string,
    now: () => number,
    onFault: (error: unknown) => void,
  ) {
    this.#store = storeIn(dataDir);
    if (this.current === null) throw noCurrentSnapshot(this.#store);
    this.#changes = new ChangeReader(dataDir);
    const answer = ownApi({
      changes: this.#changes,
      data: this,
      nextUpdate: () => null,
      now,
      source: {
        data: this,
        root: "",
        validatorsOf: validatorsBySnapshot(Buffer.alloc(0)),
      },
      work: new WorkInPieces(),
    });
    const client = {
      id: "",
      base: "",
      isGone: false,
      callerOf: () => UNLIMITED,
      failureOf(error: unknown) {
        if (error instanceof Refusal) return error.failure;
        onFault(error);
        return internalError();
      },
    };
    this.get = (target) => answer(target, client);
  }

  get current(): Directory | null {
    if (this.#directory?.id !== this.#store.currentId()) {
      const replaced = this.#directory;
      this.#directory = openCurrent(this.#store);
      replaced?.[Symbol.dispose]();
    }
    return this.#directory;
  }

  [Symbol.dispose](): void {
    this.#directory?.[Symbol.dispose]();
    this.#changes[Symbol.dispose]();
  }
}
