import { rmSync } from "node:fs";
import { appendSection } from "./append-section.ts";
import { Dictionary } from "./dictionary.ts";
import { DiskSections } from "./disk-sections.ts";
import { withRoom } from "./growable.ts";
import { OtherLocationsDraft } from "./other-locations.ts";
import { OtherNamesDraft } from "./other-names.ts";
import { orderByKey } from "./radix-sort.ts";
import { release } from "./release.ts";
import { SCOPES } from "./scopes.ts";
import { SectionWriter } from "./section-writer.ts";
import { TaxonomySlotsDraft } from "./taxonomy-slots.ts";
import type { ScopeSink, ScopeSource } from "./scope-source.ts";

/**
 * Adds to a finished snapshot file what searches can be widened to, as far as the source knows it. They are made anew with
 * every import, of all providers: so they need no merging. The file must not be in use; cut short, it is refused.
 */
export function writeScopes(
  snapshotPath: string,
  source: ScopeSource,
  taxonomyName: (code: string) => string | null,
): void {
  if (source.parts.size === 0) return;
  const path = `${snapshotPath}.scopes`;
  try {
    gatherScopes(path, snapshotPath, source, taxonomyName);
    appendSection(snapshotPath, SCOPES, path);
  } finally {
    rmSync(path, { force: true });
  }
}

function gatherScopes(
  path: string,
  snapshotPath: string,
  source: ScopeSource,
  taxonomyName: (code: string) => string | null,
): void {
  const draft = new ScopesDraft();
  source.forEach(draft);
  using snapshot = new DiskSections(snapshotPath);
  const docs = docsOf(draft.npis, snapshot);
  using writer = new SectionWriter(path);
  if (source.parts.has("taxonomies"))
    draft.slots.write(writer, docs, primaryCodes(snapshot), taxonomyName);
  if (source.parts.has("other_names")) draft.names.write(writer, docs);
  if (source.parts.has("locations")) draft.locations.write(writer, docs);
  writer.finish();
}

/** The documents of NPIs, all of which the snapshot must hold: both in ascending order, beside each other. */
function docsOf(npis: Uint32Array, snapshot: DiskSections): Uint32Array {
  const npi = snapshot.uint32("npi");
  const docsByNpi = snapshot.uint32("npi.order");
  const docs = new Uint32Array(npis.length);
  let rank = 0;
  for (const at of orderByKey(npis, npis.length)) {
    while (rank < docsByNpi.length && npi[docsByNpi[rank]!]! < npis[at]!)
      rank++;
    const doc = docsByNpi[rank];
    if (doc === undefined || npi[doc] !== npis[at])
      throw new Error("Details are held of an NPI that the snapshot lacks");
    docs[at] = doc;
  }
  release(npi, docsByNpi);
  return docs;
}

/** Tells the code of a document's primary taxonomy in upper case. */
function primaryCodes(snapshot: DiskSections): (doc: number) => string | null {
  const taxonomy = snapshot.uint16("taxonomy");
  const taxonomies = Dictionary.open(snapshot, "taxonomy");
  const codes = Array.from(
    { length: taxonomies.count + 1 },
    (_, number) => taxonomies.spelling(number)?.toUpperCase() ?? null,
  );
  return (doc) => codes[taxonomy[doc]!]!;
}

/** The scopes in the making. Providers are numbered as they come: their documents are found for all of them together. */
class ScopesDraft implements ScopeSink {
  readonly slots = new TaxonomySlotsDraft();
  readonly names = new OtherNamesDraft();
  readonly locations = new OtherLocationsDraft();
  #npis: Uint32Array = new Uint32Array(0);
  #count = 0;
  /** How many locations of the last provider were told. */
  #locations = 0;

  /** By number of the provider. */
  get npis(): Uint32Array {
    return this.#npis.subarray(0, this.#count);
  }

  provider(npi: number): void {
    this.#npis = withRoom(this.#npis, this.#count + 1);
    this.#npis[this.#count++] = npi;
    this.#locations = 0;
  }

  taxonomy(bytes: Uint8Array, start: number, end: number): void {
    this.slots.add(this.#count - 1, bytes, start, end);
  }

  organization(bytes: Uint8Array, start: number, end: number): void {
    this.names.addOrganization(this.#count - 1, bytes, start, end);
  }

  person(
    bytes: Uint8Array,
    lastStart: number,
    lastEnd: number,
    firstStart: number,
    firstEnd: number,
  ): void {
    this.names.addPerson(
      this.#count - 1,
      bytes,
      lastStart,
      lastEnd,
      firstStart,
      firstEnd,
    );
  }

  location(zip: number): void {
    this.locations.add(this.#count - 1, zip, this.#locations++);
  }
}
