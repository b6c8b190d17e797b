import type { Address } from "../contract/details.ts";
import type { DetailPart } from "../contract/detail-parts.ts";
import { BLOB } from "../registry/details/detail-blob.ts";
import { checkNpi } from "../registry/npi.ts";
import { SnapshotFormatError } from "../snapshot/container/section-file.ts";
import type { DetailsReader } from "../snapshot/details/details-reader.ts";
import type { DetailsView } from "../snapshot/details/details-view.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { NO_DETAILS, writeDetails } from "./render/details-json.ts";
import { constant, JsonText } from "./render/json-text.ts";
import type { FoundRecord } from "./query.ts";

/**
 * The details of a snapshot's documents. Unless they say otherwise, its methods throw SnapshotFormatError if the file
 * is damaged, and file system errors.
 */
export class DetailsOfDocs {
  /** Null if none are kept, or if the file cannot be opened. */
  readonly file: DetailsReader | null;
  readonly #snapshot: Snapshot;
  readonly #out = new JsonText();
  /** Display names of taxonomies as JSON, by code. */
  readonly #names = new Map<string, Uint8Array>();

  constructor(snapshot: Snapshot, file: DetailsReader | null) {
    this.#snapshot = snapshot;
    this.file = file;
    for (const [code, name] of file?.taxonomyNames ?? [])
      this.#names.set(code, constant(JSON.stringify(name)));
  }

  /** Returns a document with some parts of its details, which must be kept. */
  recordOf(doc: number, parts: readonly DetailPart[]): FoundRecord {
    return parts.length === 0
      ? { doc }
      : { doc, details: this.written(doc, parts).slice() };
  }

  /** Writes some parts, which must be kept, as members of a record. Valid until the next call. */
  written(doc: number, parts: readonly DetailPart[]): Uint8Array {
    const out = this.#out;
    const details = this.of(doc);
    out.begin();
    writeDetails(details, parts, out, this.#nameOf);
    return out.view();
  }

  readonly #nameOf = (code: string): Uint8Array | null =>
    this.#names.get(code.toUpperCase()) ?? null;

  /** Returns all that is kept of a document, if anything is. */
  of(doc: number): DetailsView {
    const { file } = this;
    if (file === null)
      throw new SnapshotFormatError(
        "The details file cannot be opened",
        "roll back or import again",
      );
    const npi = this.#snapshot.npi[doc]!;
    return file.get(npi, this.#snapshot.rank(npi)) ?? NO_DETAILS;
  }

  /** Reads the phone of each document's practice address; null if it has none. All null if the file cannot be read. */
  phonesOf(docs: readonly number[]): (string | null)[] {
    const { file } = this;
    const { metadata } = this.#snapshot;
    if (file === null || !(metadata.details ?? []).includes("identity"))
      return docs.map(() => null);
    try {
      return docs.map((doc) => {
        const npi = this.#snapshot.npi[doc]!;
        const details = file.get(npi, this.#snapshot.rank(npi));
        details?.only(BLOB.identity);
        return details?.text(BLOB.identity.text.phone) ?? null;
      });
    } catch {
      return docs.map(() => null);
    }
  }

  /** Returns the NPI that replaces another; null if the registry names none, or if that isn't kept. */
  replacementOf(npi: number): string | null {
    if (!(this.#snapshot.metadata.details ?? []).includes("identity"))
      return null;
    const details = this.file?.get(npi, this.#snapshot.rank(npi));
    details?.only(BLOB.status);
    const named = details?.text(BLOB.status.text.replacement_npi) ?? "";
    return checkNpi(named) === "ok" ? named : null;
  }

  /** Reads the address of one of the locations in `extended.locations`. */
  addressOf(location: number): Address {
    const snapshot = this.#snapshot;
    const { docs, indexes } = snapshot.extended.locations!;
    const npi = snapshot.npi[docs[location]!]!;
    const details = this.file?.get(npi, snapshot.rank(npi));
    const address = details?.each(BLOB.locations, () => details.address(0))[
      indexes[location]!
    ];
    if (address === undefined)
      throw new SnapshotFormatError(
        "The details file cannot be opened, or is another snapshot's",
        "roll back or import again",
      );
    return address;
  }
}
