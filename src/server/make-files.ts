import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { OpenedSnapshot } from "./snapshot-watch.ts";
import { KeptFiles } from "../tables/kept-files.ts";
import type { FilesToMake } from "../tables/make-files.ts";

const CHECK_MS = 1_000;

/** Makes the files of each snapshot that is served, one after the other, until it is disposed of. */
export class FilesInBackground implements AsyncDisposable {
  readonly #dataDir: string;
  readonly #createdBy: string;
  readonly #logger: Logger;
  #making = new AbortController();
  #made: Promise<void> = Promise.resolve();

  constructor(dataDir: string, createdBy: string, logger: Logger) {
    this.#dataDir = dataDir;
    this.#createdBy = createdBy;
    this.#logger = logger;
  }

  /** Stops making those of another snapshot, and makes those of this one whenever it lacks any. Returns at once. */
  make(opened: OpenedSnapshot): void {
    this.#making.abort();
    const making = new AbortController();
    this.#making = making;
    this.#made = this.#made.then(() => this.#keep(opened, making.signal));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#making.abort();
    await this.#made;
  }

  /** Makes the files, and makes them again when one was removed, until it is stopped or they cannot be made. */
  async #keep(opened: OpenedSnapshot, signal: AbortSignal): Promise<void> {
    const { id } = opened;
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      if (new KeptFiles(this.#dataDir).manifestOf(id) === null) {
        if (!isFirst)
          this.#logger.warn(
            { snapshot: id },
            "files of the snapshot are gone or changed: all are made again",
          );
        if (!(await this.#make(opened, signal))) return;
      }
      await sleep(CHECK_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Makes the files. False if they cannot be made. */
  async #make(
    { dataDate, detailsPath, file, id, providers, source }: OpenedSnapshot,
    signal: AbortSignal,
  ): Promise<boolean> {
    const files: FilesToMake = {
      id,
      file,
      detailsPath,
      providers,
      dataDate,
      source,
      dataDir: this.#dataDir,
      createdBy: this.#createdBy,
    };
    const facts = { snapshot: id };
    const begun = performance.now();
    try {
      // Loaded only where files are made.
      const { makeFiles } = await import("../tables/make-files.ts");
      this.#logger.info(facts, "making the files of the snapshot");
      const { data } = await makeFiles(files, signal);
      this.#logger.info(
        {
          ...facts,
          files: data.length,
          bytes: data.reduce((sum, { bytes }) => sum + bytes, 0),
          seconds: Math.round((performance.now() - begun) / 1_000),
        },
        "the files of the snapshot are made",
      );
      return true;
    } catch (err) {
      if (signal.aborted) return false;
      this.#logger.error(
        { ...facts, err },
        "the files of the snapshot cannot be made: they are tried again at the next start",
      );
      return false;
    }
  }
}
