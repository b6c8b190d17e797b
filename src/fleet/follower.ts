import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { NodeReport } from "../accounts/fleet/fleet-nodes.ts";
import type { Publication } from "../accounts/fleet/publications.ts";
import { ImportLock } from "../importing/import-lock.ts";
import type { SnapshotStore } from "../store/store.ts";
import { DamagedObjectError, FleetError } from "./fleet-error.ts";
import { APPLIED_FILE, keep, readKept } from "./file-bytes.ts";
import type { ObjectStore } from "./objects/object-store.ts";
import { isHeld, pull } from "./pull/pull.ts";

/** A switch takes a heartbeat, and the time to read and check a snapshot. */
const SWITCH_MS = 30_000;
/** The current snapshot and the one before, as many as the store has. */
const KEPT_SNAPSHOTS = 2;
/** The interval at which to look for damage and deleted files while nothing changes. */
const CHECK_MS = 10_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
/** A damaged object of half a gigabyte is not fetched each minute. */
const LONGEST_RETRY_OF_DAMAGE_MS = 600_000;

/** A publication that nodes serve since `activatedAt` (epoch milliseconds). */
export interface ActivePublication extends Publication {
  readonly activatedAt: number | null;
}

/** The publications that the fleet, or the store, names. */
export interface KnownPublications {
  readonly active: ActivePublication | null;
  /** To be downloaded, but not served yet. */
  readonly pending: Publication | null;
}

export interface FollowerOptions {
  readonly objects: ObjectStore;
  readonly store: SnapshotStore;
  /** Returns epoch milliseconds. */
  readonly clock: () => number;
  readonly logger: Logger;
  /** Returns the ID of the served snapshot, or null. */
  readonly served: () => string | null;
  /** True if a snapshot of the data folder was found damaged. */
  readonly isDamaged: (id: string) => boolean;
  /** Called when `report` changes. */
  readonly onReport: (report: NodeReport) => void;
  /** Called with the IDs of the snapshots that this node serves, or will serve once it has them. */
  readonly onExpected: (snapshots: readonly string[]) => void;
}

/**
 * Keeps a data folder at what is published: pulls the active publication and the pending one, and makes the active one
 * current. Whatever fails is retried, and the served snapshot stays. Between publications, an operator may roll back or
 * import in the data folder.
 */
export class Follower implements AsyncDisposable {
  readonly #options: FollowerOptions;
  readonly #stopping = new AbortController();
  #wake = new AbortController();
  #known: KnownPublications = { active: null, pending: null };
  #pulling: Pulling | null = null;
  /** The time when the active publication was first heard of, in epoch milliseconds of this node's clock. */
  #activeSinceMs = 0;
  /** The reason why the last attempt failed. */
  #problem: string | null = null;
  /** The reason why it isn't known what is published. */
  #unknown: string | null = null;
  /** The publication that the store names although this node has or downloads a later one. */
  #ignored: Publication | null = null;
  /** The time when it first named it, in epoch milliseconds. */
  #ignoredSinceMs = 0;
  /** The publication that was last made current. */
  #applied: Publication | null;
  /** The data folder's current snapshot, and the newest publication in it, when last looked at. */
  #current: string | null = null;
  #held: Publication | null = null;
  #failures = 0;
  readonly #running: Promise<void>;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#applied = readKept(options.store.dataDir, APPLIED_FILE, (reason) =>
      options.logger.warn({ reason }, "damaged file"),
    );
    this.#running = this.#run();
  }

  /** Passes on what is published now. */
  learn(known: KnownPublications): void {
    this.#unknown = null;
    const isNew =
      !isSame(known.active, this.#known.active) ||
      !isSame(known.pending, this.#known.pending);
    if (!isSame(known.active, this.#known.active))
      this.#activeSinceMs = this.#options.clock();
    this.#known = known;
    if (isNew) {
      this.#failures = 0;
      this.#pulling?.abortUnless([known.active, known.pending]);
      this.#wake.abort();
    }
    this.#tell();
  }

  /**
   * Passes on what a store names, for nodes without PostgreSQL. A mirror may be late, or restored from a backup, so a
   * publication that is not later than `#latest` is ignored. Going back is a new publication.
   */
  learnFromStore(active: ActivePublication | null): void {
    const latest = this.#latest();
    const isOld =
      active !== null &&
      latest !== null &&
      active.epoch <= latest.epoch &&
      !isSame(active, latest);
    if (!isOld) {
      this.#ignored = null;
      return this.learn({ active, pending: null });
    }
    const isNew = !isSame(active, this.#ignored);
    this.#unknown = null;
    if (this.#ignored === null) this.#ignoredSinceMs = this.#options.clock();
    this.#ignored = active;
    if (isNew)
      this.#options.logger.warn(
        { reason: this.#disagreement() },
        "the store names an older publication",
      );
    this.#tell();
  }

  /** Passes on that it is unknown what is published, and why. */
  learnFailed(error: unknown): void {
    const reason = messageOf(error);
    if (this.#unknown !== reason)
      this.#options.logger.error({ reason }, "cannot read the published state");
    this.#unknown = reason;
    this.#tell();
  }

  /** For the next heartbeat. */
  get report(): NodeReport {
    return {
      heldEpoch: this.#heldEpoch(),
      servedEpoch: this.#servedEpoch(),
      problem:
        this.#problem ??
        this.#unknown ??
        this.#disagreement() ??
        this.#deviation(),
    };
  }

  /**
   * For how long another snapshot than the active publication's is served, or the store names one that is ignored, in
   * milliseconds; null if none is known.
   */
  get behindMs(): number | null {
    const { clock, served } = this.#options;
    const { active } = this.#known;
    const published = this.#ignored ?? active;
    if (published === null) return null;
    if (served() === published.snapshot) return 0;
    const sinceMs =
      this.#ignored === null ? active?.activatedAt : this.#ignoredSinceMs;
    return Math.max(0, clock() - (sinceMs ?? 0));
  }

  /**
   * True if another snapshot than the active publication's is served for longer than a switch takes, and not because an
   * operator made it current.
   */
  get isLeftBehind(): boolean {
    const { active } = this.#known;
    const { clock, served } = this.#options;
    if (active === null || served() === active.snapshot) return false;
    if (this.#isReplaced(active)) return false;
    return clock() - this.#activeSinceMs > SWITCH_MS;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    this.#wake.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const waitMs = await this.#attempt();
      this.#note();
      await sleep(waitMs, undefined, { signal: this.#wake.signal }).catch(
        () => undefined,
      );
      if (this.#wake.signal.aborted) this.#wake = new AbortController();
    }
  }

  /** Brings the data folder up to date, or logs why not. Returns when to look again, in milliseconds. */
  async #attempt(): Promise<number> {
    const { active, pending } = this.#known;
    try {
      try {
        if (active !== null) {
          await this.#hold(active);
          this.#apply(active);
        }
      } finally {
        // If the active one is lost, only the next one can replace it.
        if (pending !== null) await this.#hold(pending);
      }
      this.#problem = null;
      this.#failures = 0;
      return CHECK_MS;
    } catch (error) {
      if (this.#stopping.signal.aborted || error === SUPERSEDED) return 0;
      const reason = messageOf(error);
      this.#problem = reason;
      this.#options.logger.error({ reason }, "cannot pull the publication");
      const longest =
        error instanceof DamagedObjectError
          ? LONGEST_RETRY_OF_DAMAGE_MS
          : LONGEST_RETRY_MS;
      return Math.min(FIRST_RETRY_MS * 2 ** this.#failures++, longest);
    }
  }

  /** Pulls a publication unless the data folder has it. */
  async #hold(publication: Publication): Promise<void> {
    if (this.#holds(publication)) return;
    const { clock, logger, objects, store } = this.#options;
    const { epoch, snapshot } = publication;
    const since = clock();
    const pulling = new Pulling(publication);
    this.#pulling = pulling;
    try {
      await pull({
        published: publication,
        objects,
        store,
        clock,
        signal: AbortSignal.any([this.#stopping.signal, pulling.signal]),
        onBegin: (files, bytes) =>
          logger.info(
            { epoch, snapshot, files, bytes },
            "pulling a publication",
          ),
      });
    } finally {
      this.#pulling = null;
    }
    if (!this.#holds(publication))
      throw new FleetError(
        `Snapshot ${snapshot} was downloaded intact, but cannot be served; the log says why.`,
      );
    const seconds = Math.round((clock() - since) / 1000);
    logger.info({ epoch, snapshot, seconds }, "publication downloaded");
  }

  #holds(publication: Publication): boolean {
    const { isDamaged, store } = this.#options;
    return isHeld(store, publication) && !isDamaged(publication.snapshot);
  }

  /** Makes the active publication's snapshot current, once. */
  #apply(active: Publication): void {
    const { clock, logger, store } = this.#options;
    if (isSame(this.#applied, active)) return;
    using lock = ImportLock.take(store.dataDir);
    if (lock === null)
      throw new FleetError(
        `Another import or update is running on this data folder. Publication ${active.epoch} is served when it has finished.`,
      );
    if (store.currentId() !== active.snapshot)
      store.makeCurrent(active.snapshot, clock());
    const { epoch, snapshot } = active;
    this.#applied = active;
    this.#current = snapshot;
    keep(store.dataDir, APPLIED_FILE, active);
    logger.info({ epoch, snapshot }, "publication is current");
    if (this.#known.pending === null) store.prune(KEPT_SNAPSHOTS, clock());
  }

  /** Looks at the data folder for what to tell. */
  #note(): void {
    try {
      const held = this.#published().find((each) => this.#holds(each));
      this.#held = held ?? null;
      this.#current = this.#options.store.currentId();
    } catch (error) {
      this.#problem = messageOf(error);
    }
    this.#tell();
  }

  /** Returns 0 for none. Other publications may have had its epoch, if the database was restored from a backup. */
  #heldEpoch(): number {
    const held = this.#published().find((each) => isSame(each, this.#held));
    return held?.epoch ?? 0;
  }

  #servedEpoch(): number | null {
    const served = this.#options.served();
    const candidates = [...this.#published(), this.#applied];
    const newest = candidates.find((each) => each?.snapshot === served);
    return newest?.epoch ?? null;
  }

  /** Returns the pending and the active publication, if any, newest first. */
  #published(): Publication[] {
    const { active, pending } = this.#known;
    return [pending, active].filter((each) => each !== null);
  }

  /** Returns the publication that is being pulled, unless that failed, or else the one that was last made current. */
  #latest(): Publication | null {
    const { active } = this.#known;
    return this.#failures === 0 && active !== null ? active : this.#applied;
  }

  /** Says if the store names a publication that is ignored; else null. */
  #disagreement(): string | null {
    const latest = this.#latest();
    if (this.#ignored === null || latest === null) return null;
    const { objects, store } = this.#options;
    return `${objects.name} names publication ${this.#ignored.epoch} (${this.#ignored.snapshot}), but this node has or downloads publication ${latest.epoch} (${latest.snapshot}), and keeps to it. Update the mirror. If the store was emptied or restored, publish again from the importer's data folder, which keeps the last number. If that is new, too, or to go back, delete ${APPLIED_FILE} in ${store.dataDir} and restart this node.`;
  }

  /** Says if something else than what is published was made current in the data folder; else null. */
  #deviation(): string | null {
    const { active } = this.#known;
    if (active === null || !isSame(active, this.#applied)) return null;
    if (this.#isReplaced(active))
      return `Snapshot ${this.#current ?? "none"} was made current in this data folder instead of publication ${active.epoch} (${active.snapshot}). The next publication replaces it.`;
    if (this.#options.served() === active.snapshot) return null;
    return `Snapshot ${active.snapshot} of publication ${active.epoch} is downloaded, but not served yet.`;
  }

  /** True if something else was made current in the data folder since the publication was. */
  #isReplaced(active: Publication): boolean {
    return isSame(active, this.#applied) && this.#current !== active.snapshot;
  }

  #tell(): void {
    const { active, pending } = this.#known;
    const isServed = active !== null && !this.#isReplaced(active);
    this.#options.onExpected(
      [isServed ? active : null, pending].flatMap(
        (each) => each?.snapshot ?? [],
      ),
    );
    this.#options.onReport(this.report);
  }
}

const SUPERSEDED = new FleetError("A newer publication replaced it.");

/** A pull that can be aborted. */
class Pulling {
  readonly #publication: Publication;
  readonly #abort = new AbortController();

  constructor(publication: Publication) {
    this.#publication = publication;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  abortUnless(wanted: readonly (Publication | null)[]): void {
    if (!wanted.some((each) => isSame(each, this.#publication)))
      this.#abort.abort(SUPERSEDED);
  }
}

function isSame(one: Publication | null, other: Publication | null): boolean {
  return one?.epoch === other?.epoch && one?.manifest === other?.manifest;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
