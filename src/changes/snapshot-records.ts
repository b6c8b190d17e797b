import { JsonText } from "../search/render/json-text.ts";
import { JsonRecords } from "../search/render/json-renderer.ts";
import { isDeactivated } from "../snapshot/postings/kinds.ts";
import { DiskSnapshot } from "../snapshot/disk-snapshot.ts";

/** A provider's record in a snapshot. */
export interface SnapshotRecord {
  /** As the service renders it, without taxonomy names. */
  readonly json: string;
  readonly isDeactivated: boolean;
}

/** Records by NPI. */
export interface RecordsByNpi {
  /** Null if there is no such record. */
  of(npi: number): SnapshotRecord | null;
}

/** The records of a snapshot on disk: about 400 MB of memory for the whole registry. */
export class SnapshotRecords implements RecordsByNpi, Disposable {
  readonly snapshot: DiskSnapshot;
  readonly #json = new JsonText();
  readonly #records: JsonRecords;

  /** Throws SnapshotFormatError and file system errors. */
  constructor(path: string) {
    this.snapshot = new DiskSnapshot(path);
    this.#records = new JsonRecords(this.snapshot, this.#json);
  }

  of(npi: number): SnapshotRecord | null {
    const doc = this.snapshot.find(npi);
    return doc < 0 ? null : this.at(doc);
  }

  /** The record of a document. */
  at(doc: number): SnapshotRecord {
    this.#json.begin();
    this.#records.record(doc);
    return {
      json: this.#json.text(),
      isDeactivated: isDeactivated(this.snapshot.kinds.column[doc]!),
    };
  }

  [Symbol.dispose](): void {
    this.snapshot[Symbol.dispose]();
  }
}

/** Reads the records of some NPIs from a snapshot and closes it. */
export function rememberRecords(path: string, npis: Uint32Array): RecordsByNpi {
  using records = new SnapshotRecords(path);
  const { snapshot } = records;
  const byNpi = new Map<number, SnapshotRecord>();
  // In document order, which is file order.
  const docs = npis.map((npi) => snapshot.find(npi) + 1).sort();
  for (const after of docs)
    if (after > 0) byNpi.set(snapshot.npi[after - 1]!, records.at(after - 1));
  return { of: (npi) => byNpi.get(npi) ?? null };
}
