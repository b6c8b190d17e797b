import { JsonText } from "../search/render/json-text.ts";
import { JsonRecords } from "../search/render/json-renderer.ts";
import { isDeactivated } from "../snapshot/postings/kinds.ts";
import { DetailsReader } from "../snapshot/details/details-reader.ts";
import { DiskSnapshot } from "../snapshot/disk-snapshot.ts";

/** A provider's record in a snapshot. */
export interface SnapshotRecord {
  /** As the service renders it, without taxonomy names. */
  readonly json: string;
  readonly isDeactivated: boolean;
  /** Its details as a blob (`detail-blob.ts`); null if there are none. */
  readonly details: Uint8Array | null;
}

/** Records by NPI. */
export interface RecordsByNpi {
  /** Null if there is no such record. */
  of(npi: number): SnapshotRecord | null;
}

/** The records of a snapshot on disk: about 400 MB of memory for the whole registry. */
export class SnapshotRecords implements RecordsByNpi, Disposable {
  readonly snapshot: DiskSnapshot;
  /** Null if the details were not asked for. */
  readonly details: DetailsReader | null;
  readonly #json = new JsonText();
  readonly #records: JsonRecords;

  /** Throws SnapshotFormatError and file system errors. `detailsPath` is null to read no details. */
  constructor(path: string, detailsPath: string | null) {
    using opened = new DisposableStack();
    this.details =
      detailsPath === null ? null : opened.use(new DetailsReader(detailsPath));
    this.snapshot = new DiskSnapshot(path);
    opened.move();
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
      details: this.#detailsOf(this.snapshot.npi[doc]!),
    };
  }

  [Symbol.dispose](): void {
    this.snapshot[Symbol.dispose]();
    this.details?.[Symbol.dispose]();
  }

  #detailsOf(npi: number): Uint8Array | null {
    const rank = this.snapshot.npiIndex.rank(npi);
    const view = this.details?.get(npi, rank) ?? null;
    return view === null ? null : Uint8Array.from(view.blob);
  }
}

/** Reads the records of some NPIs from a snapshot and closes it. */
export function rememberRecords(
  path: string,
  detailsPath: string | null,
  npis: Uint32Array,
): RecordsByNpi {
  using records = new SnapshotRecords(path, detailsPath);
  const { snapshot } = records;
  const byNpi = new Map<number, SnapshotRecord>();
  // In document order, which is file order.
  const docs = npis.map((npi) => snapshot.find(npi) + 1).sort();
  for (const after of docs)
    if (after > 0) byNpi.set(snapshot.npi[after - 1]!, records.at(after - 1));
  return { of: (npi) => byNpi.get(npi) ?? null };
}
