import { JsonText } from "../search/render/json-text.ts";
import { JsonRecords } from "../search/render/json-renderer.ts";
import { isDeactivated } from "../snapshot/postings/kinds.ts";
import { DiskSnapshot } from "../snapshot/disk-snapshot.ts";

/** What a snapshot says of a provider. */
export interface SnapshotRecord {
  /** As the service would answer it without the names of specialties. */
  readonly json: string;
  readonly isDeactivated: boolean;
}

/** Records by NPI. */
export interface RecordsByNpi {
  /** Null where it is not held. */
  of(npi: number): SnapshotRecord | null;
}

/** The records of a snapshot on the disk: some 400 MB of memory for the whole registry. */
export class SnapshotRecords implements RecordsByNpi, Disposable {
  readonly snapshot: DiskSnapshot;
  readonly #json = new JsonText();
  readonly #records: JsonRecords;

  /** Throws SnapshotFormatError, and the file system's errors. */
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

/** The records of some NPIs out of a snapshot that need not stay open for them. */
export function rememberRecords(path: string, npis: Uint32Array): RecordsByNpi {
  using records = new SnapshotRecords(path);
  const { snapshot } = records;
  const held = new Map<number, SnapshotRecord>();
  // In the order of the documents, which is that of the file.
  const docs = npis.map((npi) => snapshot.find(npi) + 1).sort();
  for (const after of docs)
    if (after > 0) held.set(snapshot.npi[after - 1]!, records.at(after - 1));
  return { of: (npi) => held.get(npi) ?? null };
}
