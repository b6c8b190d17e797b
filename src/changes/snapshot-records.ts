import { JsonText } from "../search/render/json-text.ts";
import { JsonRecords } from "../search/render/json-records.ts";
import { Entity } from "../registry/rows/provider-row.ts";
import { entityOf, isDeactivated } from "../snapshot/postings/kinds.ts";
import { isSameBlob } from "./detail-changes.ts";
import { DetailsReader } from "../snapshot/details/details-reader.ts";
import { DiskSnapshot } from "../snapshot/base-snapshot.ts";

/** A provider's record in a snapshot. */
export interface SnapshotRecord {
  /** As the service renders it, without taxonomy names. */
  readonly json: string;
  readonly isDeactivated: boolean;
  /** True if it has only its status: the registry withholds the rest, and no earlier file is shown instead. */
  readonly isWithheld: boolean;
  /** Its details as a blob (`detail-blob.ts`); null if there are none. */
  readonly details: Uint8Array | null;
}

type Remembered = { -readonly [K in keyof SnapshotRecord]: SnapshotRecord[K] };

/** Records by NPI. */
export interface RecordsByNpi {
  /** Returns null if there is no such record. */
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
    const doc = this.snapshot.npiIndex.find(npi);
    return doc < 0
      ? null
      : { ...this.recordAt(doc), details: this.#detailsOf(npi) };
  }

  /** Returns the record of a document, without its details. */
  recordAt(doc: number): Remembered {
    this.#json.begin();
    this.#records.record(doc);
    const kind = this.snapshot.kinds.column[doc]!;
    return {
      json: this.#json.text(),
      isDeactivated: isDeactivated(kind),
      isWithheld: isDeactivated(kind) && entityOf(kind) === Entity.withheld,
      details: null,
    };
  }

  /** Reads details; fastest in ascending order of NPI. */
  #detailsOf(npi: number): Uint8Array | null {
    const rank = this.snapshot.npiIndex.rank(npi);
    const view = this.details?.get(npi, rank) ?? null;
    // Small ones share a buffer.
    return view === null ? null : Buffer.from(view.blob);
  }

  [Symbol.dispose](): void {
    this.snapshot[Symbol.dispose]();
    this.details?.[Symbol.dispose]();
  }
}

/**
 * Reads the records of some NPIs, ascending, from a snapshot and closes it. What equals `known` is in memory only once.
 */
export function rememberRecords(
  path: string,
  detailsPath: string | null,
  npis: Uint32Array,
  known: RecordsByNpi = NO_RECORDS,
): RecordsByNpi {
  using records = new SnapshotRecords(path, detailsPath);
  const { details, snapshot } = records;
  const byNpi = new Map<number, Remembered>();
  const ranks = npis.map((npi) => snapshot.rank(npi) + 1);
  // In document order, which is file order.
  const docs = ranks
    .map((after) => (after === 0 ? 0 : snapshot.npiIndex.order[after - 1]! + 1))
    .sort();
  for (const after of docs) {
    if (after === 0) continue;
    const npi = snapshot.npi[after - 1]!;
    const record = records.recordAt(after - 1);
    const json = known.of(npi)?.json;
    if (json === record.json) record.json = json;
    byNpi.set(npi, record);
  }
  const here = npis.filter((_, at) => ranks[at] !== 0);
  details?.forEachOf(
    here,
    ranks.filter((after) => after !== 0).map((after) => after - 1),
    (index, { blob }) => {
      const npi = here[index]!;
      const before = known.of(npi)?.details ?? null;
      byNpi.get(npi)!.details = isSameBlob(before, blob)
        ? before
        : Buffer.from(blob);
    },
  );
  return { of: (npi) => byNpi.get(npi) ?? null };
}

const NO_RECORDS: RecordsByNpi = { of: () => null };
