import type { Address } from "../contract/details.ts";
import type { DetailPart } from "../contract/detail-parts.ts";
import { BLOB } from "../registry/details/detail-blob.ts";
import { checkNpi } from "../registry/npi.ts";
import { SnapshotFormatError } from "../snapshot/container/section-file.ts";
import type { DetailsReader } from "../snapshot/details/details-reader.ts";
import type { DetailsView } from "../snapshot/details/details-view.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { detailMembers, NO_DETAILS } from "./render/details-json.ts";
import type { FoundRecord } from "./query.ts";
import { NO_MEMBERS, type Members } from "./render/renderer.ts";

/**
 * The details of a snapshot's documents. Unless they say otherwise, its methods throw SnapshotFormatError if the file
 * is damaged, and file system errors.
 */
export class DetailsOfDocs {
  /** Null if none are kept, or if the file cannot be opened. */
  readonly file: DetailsReader | null;
  readonly #snapshot: Snapshot;

  constructor(snapshot: Snapshot, file: DetailsReader | null) {
    this.#snapshot = snapshot;
    this.file = file;
  }

  /** Returns a document with some parts of its details, which must be kept. */
  recordOf(doc: number, parts: readonly DetailPart[]): FoundRecord {
    return { doc, details: this.members(doc, parts) };
  }

  /** Returns some parts, which must be kept, as members of a record. */
  members(doc: number, parts: readonly DetailPart[]): Members {
    if (parts.length === 0) return NO_MEMBERS;
    const details = this.of(doc);
    const nameOf = (code: string) =>
      this.file?.taxonomyNames.get(code.toUpperCase()) ?? null;
    return detailMembers(details, parts, nameOf);
  }

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
