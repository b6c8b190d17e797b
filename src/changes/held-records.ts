import { JsonText } from "../search/json-text.ts";
import { Renderer } from "../search/render.ts";
import { isDeactivated } from "../snapshot/kinds.ts";
import { DiskSnapshot } from "../snapshot/disk-snapshot.ts";

/** The records of a snapshot on the disk, as the service would answer them without the names of specialties. */
export class HeldRecords implements Disposable {
  readonly snapshot: DiskSnapshot;
  readonly #json = new JsonText();
  readonly #renderer: Renderer;

  /** Throws SnapshotFormatError, and the file system's errors. */
  constructor(path: string) {
    this.snapshot = new DiskSnapshot(path);
    this.#renderer = new Renderer(this.snapshot, this.#json);
  }

  isDeactivated(doc: number): boolean {
    return isDeactivated(this.snapshot.kinds.column[doc]!);
  }

  /** The record of a document. */
  json(doc: number): string {
    this.#json.begin();
    this.#renderer.provider(doc);
    return this.#json.text();
  }

  [Symbol.dispose](): void {
    this.snapshot[Symbol.dispose]();
  }
}
