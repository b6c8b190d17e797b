import { rmSync } from "node:fs";
import { appendSection } from "./append-section.ts";
import { Dictionary } from "./dictionary.ts";
import { DiskSections } from "./disk-sections.ts";
import { withRoom } from "./growable.ts";
import { OtherLocationsDraft } from "./other-locations.ts";
import { OtherNamesDraft } from "./other-names.ts";
import type { HeldScopes } from "./held-scopes.ts";
import { NO_DOC } from "./merge-postings.ts";
import { NpiIndex } from "./npi-index.ts";
import { release } from "./release.ts";
import { SCOPES } from "./scopes.ts";
import { SectionWriter } from "./section-writer.ts";
import { TaxonomySlotsDraft, type HeldSlots } from "./taxonomy-slots.ts";
import type { ScopeSink, ScopeSource } from "./scope-source.ts";

const NOTHING = new Uint32Array(0);

/**
 * Adds to a finished snapshot file what searches can be widened to, as far as the source knows it; of an update, also what
 * is held of all others. The file must not be in use; cut short, it is refused.
 */
export function writeScopes(
  snapshotPath: string,
  source: ScopeSource,
  taxonomyName: (code: string) => string | null,
  held: HeldScopes | null = null,
): void {
  if (source.parts.size === 0) return;
  const path = `${snapshotPath}.scopes`;
  try {
    gatherScopes(path, snapshotPath, source, taxonomyName, held);
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
  held: HeldScopes | null,
): void {
  const draft = new ScopesDraft(held);
  source.forEach(draft);
  using snapshot = new DiskSections(snapshotPath);
  const docs = docsOf(draft, snapshot, held);
  using writer = new SectionWriter(path);
  if (source.parts.has("taxonomies"))
    draft.slots.write(
      writer,
      docs,
      {
        column: snapshot.uint16("taxonomy"),
        taxonomies: Dictionary.open(snapshot, "taxonomy"),
      },
      taxonomyName,
      heldSlots(held),
    );
  if (source.parts.has("other_names")) draft.names.write(writer, docs);
  if (source.parts.has("locations")) draft.locations.write(writer, docs);
  writer.finish();
}

function heldSlots(held: HeldScopes | null): HeldSlots | null {
  const slots = held?.scopes.slots ?? null;
  return held === null || slots === null ? null : { slots, moved: held.docs };
}

/** The documents of a draft's providers, all of which the snapshot must hold. */
function docsOf(
  { npis }: ScopesDraft,
  snapshot: DiskSections,
  held: HeldScopes | null,
): Uint32Array {
  const npi = snapshot.uint32("npi");
  const order = snapshot.uint32("npi.order");
  const index = new NpiIndex(npi, order, snapshot.uint32("npi.buckets"));
  const before = held?.docs.docs ?? NOTHING;
  const docs = new Uint32Array(before.length + npis.length);
  docs.set(before);
  npis.forEach((each, at) => {
    const doc = index.find(each);
    if (doc < 0)
      throw new Error("Details are held of an NPI that the snapshot lacks");
    docs[before.length + at] = doc;
  });
  release(npi, order);
  return docs;
}

/**
 * The scopes in the making. Of an update, the providers that are held are numbered like their documents in the base. The others
 * are numbered behind them as they come: their documents are found for all of them together.
 */
class ScopesDraft implements ScopeSink {
  readonly slots = new TaxonomySlotsDraft();
  readonly names = new OtherNamesDraft();
  readonly locations = new OtherLocationsDraft();
  readonly #held: number;
  #npis: Uint32Array = new Uint32Array(0);
  #count = 0;
  /** The number of the last provider, and how many locations of it were told. */
  #provider = 0;
  #locations = 0;

  constructor(held: HeldScopes | null) {
    this.#held = held?.docs.docs.length ?? 0;
    if (held === null) return;
    const { docs, scopes } = held;
    const stays = (doc: number): boolean => docs.now(doc) !== NO_DOC;
    if (scopes.names !== null) this.names.addHeld(scopes.names, stays);
    if (scopes.locations !== null)
      this.locations.addHeld(scopes.locations, stays);
  }

  /** Of the providers that are not held, in the order of their numbers. */
  get npis(): Uint32Array {
    return this.#npis.subarray(0, this.#count);
  }

  provider(npi: number): void {
    this.#provider = this.#held + this.#count;
    this.#npis = withRoom(this.#npis, this.#count + 1);
    this.#npis[this.#count++] = npi;
    this.#locations = 0;
  }

  taxonomy(bytes: Uint8Array, start: number, end: number): void {
    this.slots.add(this.#provider, bytes, start, end);
  }

  organization(bytes: Uint8Array, start: number, end: number): void {
    this.names.addOrganization(this.#provider, bytes, start, end);
  }

  person(
    bytes: Uint8Array,
    lastStart: number,
    lastEnd: number,
    firstStart: number,
    firstEnd: number,
  ): void {
    this.names.addPerson(
      this.#provider,
      bytes,
      lastStart,
      lastEnd,
      firstStart,
      firstEnd,
    );
  }

  location(zip: number): void {
    this.locations.add(this.#provider, zip, this.#locations++);
  }
}
