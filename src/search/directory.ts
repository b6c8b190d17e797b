import type { DetailPart } from "../contract/detail-parts.ts";
import { once } from "../snapshot/bytes/once.ts";
import { contentId } from "../snapshot/content-id.ts";
import type { DetailsReader } from "../snapshot/details/details-reader.ts";
import {
  dataDateOf,
  describeSource,
  type SnapshotCounts,
} from "../snapshot/metadata.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { DetailsOfDocs } from "./details-of-docs.ts";
import { Workspace } from "./evaluate/workspace.ts";
import { Explore } from "./explore.ts";
import { Lookup } from "./lookup.ts";
import { Nearby } from "./nearby.ts";
import { planningFor } from "./plan/planning.ts";
import { RegistryRecords } from "./registry-api/registry-records.ts";
import type { Members } from "./render/renderer.ts";
import { Search } from "./search.ts";

/** One snapshot, and what can be asked of it. Synchronous; one instance per thread. */
export class Directory implements Disposable {
  /** The snapshot's id. */
  readonly id: string;
  /** Identifies what it answers: equal for two imports of the same files (`contentId`). */
  readonly contentId: string;
  /** A description of where the data comes from. */
  readonly source: string;
  /** The members that all look-ups share. Rendering the same object each time is faster. */
  readonly members: Members;
  readonly createdAt: Date;
  /** The ISO date up to which its files cover the registry; null if unknown. */
  readonly dataDate: string | null;
  readonly counts: SnapshotCounts;
  /** True if the providers are demo data. */
  readonly isDemo: boolean;
  /** The parts of details that are kept in addition to the records. */
  readonly detailParts: readonly DetailPart[];
  readonly lookup: Lookup;
  readonly search: Search;
  readonly nearby: Nearby;
  readonly explore: Explore;
  readonly #openRegistry: () => RegistryRecords;
  readonly #pins: Pins;

  /** Takes ownership of both. The details are null if none are kept, or if the file cannot be opened. */
  constructor(snapshot: Snapshot, details: DetailsReader | null = null) {
    const { metadata } = snapshot;
    this.id = metadata.id;
    this.contentId = contentId(snapshot, details);
    this.source = describeSource(metadata);
    this.members = { meta: { source: this.source } };
    this.createdAt = new Date(metadata.createdAt);
    this.dataDate = dataDateOf(metadata);
    this.counts = metadata.counts;
    this.isDemo = metadata.demo;
    this.detailParts = metadata.details ?? [];
    this.#pins = new Pins(() => {
      details?.[Symbol.dispose]();
      snapshot[Symbol.dispose]();
    });
    const planning = planningFor(snapshot, new Workspace(snapshot));
    const detailsOfDocs = new DetailsOfDocs(snapshot, details);
    this.lookup = new Lookup(planning, detailsOfDocs);
    this.search = new Search(planning);
    this.nearby = new Nearby(planning, detailsOfDocs);
    this.explore = new Explore(planning, detailsOfDocs, this);
    this.#openRegistry = once(
      () => new RegistryRecords(snapshot, detailsOfDocs, this.lookup),
    );
  }

  /** Records as the registry's own API has them. */
  get registry(): RegistryRecords {
    return this.#openRegistry();
  }

  /**
   * Keeps the details file open until the pin is disposed of, even if the directory is disposed of before. `onExpire`
   * is called if it must be disposed of now.
   */
  pin(onExpire: () => void): Disposable {
    return this.#pins.pin(onExpire);
  }

  /** Asks for all pins to be disposed of. */
  expirePins(): void {
    this.#pins.expire();
  }

  /** Resolves when the directory is disposed of and not pinned. */
  closed(): Promise<void> {
    return this.#pins.closed;
  }

  [Symbol.dispose](): void {
    this.#pins.end();
  }
}

/** Counts the users of something. It is closed once it has ended and is not pinned. */
class Pins {
  /** Resolves once it is closed. */
  readonly closed: Promise<void>;
  readonly #close: () => void;
  readonly #pins = new Set<{ readonly onExpire: () => void }>();
  #hasEnded = false;

  constructor(close: () => void) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    let isClosed = false;
    this.#close = () => {
      // It may be pinned again after it ended.
      if (isClosed || !this.#hasEnded || this.#pins.size > 0) return;
      isClosed = true;
      close();
      resolve();
    };
  }

  /** Pins it until the pin is disposed of. `onExpire` is called if that must happen now. */
  pin(onExpire: () => void): Disposable {
    const pin = { onExpire };
    this.#pins.add(pin);
    return {
      [Symbol.dispose]: () => {
        if (this.#pins.delete(pin)) this.#close();
      },
    };
  }

  /** Asks for all pins to be disposed of. */
  expire(): void {
    for (const { onExpire } of this.#pins) onExpire();
  }

  /** Ends it; more than once does nothing. */
  end(): void {
    this.#hasEnded = true;
    this.#close();
  }
}
