import { rmSync } from "node:fs";
import { SECTIONS } from "../container/descriptors.ts";
import { openGroup } from "../container/sections.ts";
import { Dictionary } from "../dictionary/dictionary.ts";
import { DiskSections } from "../container/disk-sections.ts";
import { withRoom } from "../bytes/growable.ts";
import { OtherLocationsDraft } from "./other-locations.ts";
import { OtherNamesDraft } from "./other-names.ts";
import { DetailsReader } from "../details/details-reader.ts";
import { scopesOf } from "./details-scopes.ts";
import { heldScopes, type HeldScopes } from "./held-scopes.ts";
import { NO_DOC } from "../postings/merge-postings.ts";
import { NpiIndex } from "../postings/npi-index.ts";
import { release } from "../bytes/release.ts";
import { SectionWriter } from "../container/section-writer.ts";
import { TaxonomySlotsDraft, type HeldSlots } from "./taxonomy-slots.ts";
import {
  SCOPE_PARTS,
  type ScopePart,
  type ScopeSink,
  type ScopeSource,
} from "./scope-source.ts";
import type { DetailPart } from "../../contract/detail-parts.ts";

const NOTHING = new Uint32Array(0);

/** What the scopes of a snapshot are made from. Plain data, so that it can be handed to a thread. */
export interface ScopesTask {
  /** The details file, with all files that it names. */
  detailsPath: string;
  /** Of an update: the file of the snapshot that it is merged into, and the NPIs whose details it brings; else null. */
  base: { path: string; written: Uint32Array } | null;
  /** The display names of taxonomies by their codes in upper case. */
  taxonomyNames: ReadonlyMap<string, string>;
}

/** Makes what searches can be widened to: of all details at once, or, of an update, when its snapshot is there. */
export class ScopesMaker implements Disposable {
  readonly #task: ScopesTask;
  readonly #details: DetailsReader;
  readonly #source: ScopeSource;
  readonly #draft: ScopesDraft | null;

  /** Throws SnapshotFormatError where the details are damaged, and the file system's errors. */
  constructor(task: ScopesTask) {
    this.#task = task;
    this.#details = new DetailsReader(task.detailsPath);
    const { base } = task;
    this.#source = scopesOf(this.#details, base === null ? "all" : "own");
    this.#draft = base === null ? this.#gather(null) : null;
  }

  /** Writes the scopes of a finished snapshot file into a file beside it, for `addScopes`. */
  write(snapshotPath: string): void {
    const { base } = this.#task;
    const held =
      base === null ? null : heldScopes(base.path, snapshotPath, base.written);
    writeDraft(
      this.#draft ?? this.#gather(held),
      this.#source.parts,
      snapshotPath,
      (code) => this.#task.taxonomyNames.get(code) ?? null,
      held,
    );
  }

  [Symbol.dispose](): void {
    this.#details[Symbol.dispose]();
  }

  #gather(held: HeldScopes | null): ScopesDraft {
    const draft = new ScopesDraft(held);
    this.#source.forEach(draft);
    return draft;
  }
}

/** Whether there is anything in such details that searches can be widened to. */
export function hasScopes(parts: readonly DetailPart[]): boolean {
  return SCOPE_PARTS.some((part) => parts.includes(part));
}

/** Takes the scopes that were written beside a snapshot file into it. The file must not be in use; cut short, it is refused. */
export function addScopes(snapshotPath: string): void {
  const path = scopesPath(snapshotPath);
  using writer = SectionWriter.behind(snapshotPath);
  writer.copy(SECTIONS.scopes, path);
  writer.finish();
  rmSync(path);
}

function scopesPath(snapshotPath: string): string {
  return `${snapshotPath}.scopes`;
}

function writeDraft(
  draft: ScopesDraft,
  parts: ReadonlySet<ScopePart>,
  snapshotPath: string,
  taxonomyName: (code: string) => string | null,
  held: HeldScopes | null,
): void {
  using snapshot = new DiskSections(snapshotPath);
  const docs = docsOf(draft, snapshot, held);
  using writer = new SectionWriter(scopesPath(snapshotPath));
  if (parts.has("taxonomies"))
    draft.slots.write(
      writer,
      docs,
      {
        column: snapshot.get(SECTIONS.taxonomy),
        taxonomies: Dictionary.open(snapshot, SECTIONS.taxonomies),
      },
      taxonomyName,
      heldSlots(held),
    );
  if (parts.has("other_names")) draft.names.write(writer, docs);
  if (parts.has("locations")) draft.locations.write(writer, docs);
  writer.finish();
}

function heldSlots(held: HeldScopes | null): HeldSlots | null {
  const slots = held?.scopes.slots ?? null;
  return held === null || slots === null ? null : { slots, moved: held.docs };
}

/** The documents of a draft's providers, all of which the snapshot must hold. */
function docsOf(
  draft: ScopesDraft,
  snapshot: DiskSections,
  held: HeldScopes | null,
): Uint32Array {
  const npis = openGroup(snapshot, SECTIONS.npis);
  const index = new NpiIndex(npis);
  const before = held?.docs.docs ?? NOTHING;
  const docs = new Uint32Array(before.length + draft.npis.length);
  docs.set(before);
  draft.npis.forEach((each, at) => {
    const doc = index.find(each);
    if (doc < 0)
      throw new Error("Details are held of an NPI that the snapshot lacks");
    docs[before.length + at] = doc;
  });
  release(npis.npi, npis.order);
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
