import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseAway } from "../database/database.ts";
import type { AccountMonth, AccountTable, Wanted } from "./account-table.ts";
import { WHATEVER, type ChangedUse, type MonthlyUse } from "./monthly-use.ts";

/** The time that one payment should last at an account's rate here, in seconds. */
const PREPAID_SECONDS = 5;
/** A node prepays at most this part of its share of what is left of a month, unless a request needs more. */
const SHARE = 4;
/** The time without use after which quota is given back. */
const IDLE_MS = 30_000;
/** Accounts in one statement. */
const MAX_BATCH = 1_000;
/** The pause before an account that another session has locked is tried again; it doubles. */
const MIN_PAUSE_MS = 10;
const MAX_PAUSE_MS = 160;
/** Other accounts don't wait longer for a statement; and the most statements that are slow at once. */
const SLOW_MS = 250;
const MAX_SLOW = 2;
/** The pause after a statement that failed. */
const FAULT_PAUSE_MS = 100;
/** The number of times that a stop tries to give back what another session has locked. */
const LAST_TRIES = 500;

/** Counts for metrics, since the process started. */
export interface QuotaCounts {
  readonly prepaid: number;
  readonly givenBack: number;
  /** Prepaid, but never used, because another database server took over. */
  readonly forgotten: number;
  readonly statements: number;
}

export interface QuotaDeskOptions {
  readonly use: MonthlyUse;
  readonly table: AccountTable;
  /** Returns how many nodes share the database, this one included. */
  readonly liveNodes: () => number;
  /** Called after each statement; true if the database could not be used. */
  readonly onSent: (isAway: boolean) => void;
  /** The time without use after which quota is given back, in milliseconds. */
  readonly idleMs?: number;
  /** The pause after a statement that failed, in milliseconds. */
  readonly faultPauseMs?: number;
}

/** The part of an account's month that this process has prepaid. */
interface Prepaid extends AccountMonth {
  readonly place: number;
  /** In all, less what was given back. */
  total: number;
  /** The usage when more was last prepaid, and when that was, to compute the rate. */
  usedBefore: number;
  paidMs: number;
  /** The rest when last checked, and the time since when it hasn't changed. */
  left: number;
  leftSinceMs: number;
  /** True if the last statement got no answer, or was refused: then only what is needed is prepaid. */
  isUnsure: boolean;
  /** The number of times in a row that another session had the account locked. */
  tries: number;
}

/** A change of an account's month on its way to the database. */
interface Change {
  readonly prepaid: Prepaid;
  /** `pay` is refused if the month has fewer left; `owe` is written whatever is left; `return` is negative. */
  readonly kind: "pay" | "owe" | "return";
  readonly answers: number;
  /** Of these, what a request waits for. */
  readonly needed: number;
  readonly quota: number;
}

/**
 * Prepays quota in the database for all threads of a process, before any of it is answered: what an account needs here
 * for some seconds. What isn't used is given back. One statement at a time, each for all accounts that want something,
 * and another while one is slow. A statement is never sent twice: if there is no answer, what it paid or gave back
 * counts as used. So no quota is exceeded, whatever fails, and a process that dies loses only what it had prepaid.
 */
export class QuotaDesk {
  readonly #options: QuotaDeskOptions;
  readonly #prepaid = new Map<string, Prepaid>();
  /** The changes of kind `return` that the next statement sends, by account and month. */
  readonly #returns = new Map<string, Change>();
  #isAway = false;
  /** True once nothing more is prepaid. */
  #isClosing = false;
  #serving: Promise<void> = Promise.resolve();
  /** Statements without an answer: some are slow, and others don't wait for them. */
  readonly #sent = new Set<Promise<void>>();
  /** The number of changes that wait because another session has their account locked. */
  #paused = 0;
  #paid = 0;
  #givenBack = 0;
  #forgotten = 0;
  #statements = 0;

  constructor(options: QuotaDeskOptions) {
    this.#options = options;
  }

  get counts(): QuotaCounts {
    return {
      prepaid: this.#paid,
      givenBack: this.#givenBack,
      forgotten: this.#forgotten,
      statements: this.#statements,
    };
  }

  /** The number of answers that may still be given without asking the database. */
  get left(): number {
    let left = 0;
    for (const { month, place } of this.#prepaid.values())
      left += this.#options.table.left(place, month);
    return left;
  }

  /** Prepays what threads want, and sends what is given back. Never rejects. */
  serve(): Promise<void> {
    return (this.#serving = this.#serving.then(() => this.#serve()));
  }

  /** Gives back what wasn't used for a while; call it every second. Never rejects. */
  sweep(): Promise<void> {
    const { idleMs = IDLE_MS } = this.#options;
    const nowMs = performance.now();
    for (const [name, prepaid] of this.#prepaid) {
      const left = this.#options.table.left(prepaid.place, prepaid.month);
      if (left !== prepaid.left) {
        prepaid.left = left;
        prepaid.leftSinceMs = nowMs;
      }
      if (nowMs - prepaid.leftSinceMs < idleMs) continue;
      // What is sent while the database is away would be lost.
      if (left > 0 && !this.#isAway) this.#takeBack(prepaid);
      else if (left === 0 && !this.#returns.has(name))
        this.#prepaid.delete(name);
    }
    return this.serve();
  }

  /** Gives back what is prepaid for accounts whose plan may have changed; null for all. Never rejects. */
  async recall(accounts: ReadonlySet<number> | null): Promise<void> {
    // Again after what was on its way, which may have been paid under the old plan.
    for (let time = 0; time < 2; time++) {
      for (const prepaid of this.#prepaid.values())
        if (accounts?.has(prepaid.accountId) ?? true) this.#takeBack(prepaid);
      await this.serve();
    }
  }

  /**
   * Forgets what is prepaid, which counts as used then: another server answers, which may never have heard of it. What
   * it hasn't heard of must not be given back to it.
   */
  forget(): void {
    for (const prepaid of this.#prepaid.values()) {
      const { month, place } = prepaid;
      const left = this.#options.table.takeBack(place, month);
      prepaid.total -= left;
      this.#forgotten += left;
    }
  }

  /** Gives everything back, once no thread answers any more. Rejects if that isn't possible. */
  async returnAll(): Promise<void> {
    this.#isClosing = true;
    for (let tries = 0; tries < LAST_TRIES; tries++) {
      const paused = this.#paused;
      this.#isAway = false;
      await this.recall(null);
      // What is slow may still be paid, or not taken back.
      await Promise.all(this.#sent);
      if (this.#isAway) break;
      const isPaused = paused + this.#paused > 0;
      if (!isPaused && this.#returns.size === 0 && this.left === 0) return;
      await sleep(MIN_PAUSE_MS);
    }
    throw new Error("The accounts database did not take back what is prepaid.");
  }

  async #serve(): Promise<void> {
    const { table } = this.#options;
    const changes = new Map(this.#returns);
    this.#returns.clear();
    for (const wanted of table.takeWanted()) {
      const name = nameOf(wanted);
      const prepaid = this.#prepaidOf(name, wanted);
      const owed = table.takeOwed(wanted.place, wanted.month);
      // One change of an account in a statement; the rest follows.
      if (owed > 0 && !changes.has(name))
        changes.set(name, change(prepaid, "owe", owed));
      else if (owed > 0) table.owe(wanted.place, wanted.month, owed);
      if (wanted.answers === 0 || this.#isClosing) continue;
      if (changes.has(name))
        table.want(wanted.place, wanted.month, wanted.answers, wanted.quota);
      else changes.set(name, this.#payment(prepaid, wanted));
    }
    const all = [...changes.values()];
    for (let start = 0; start < all.length; start += MAX_BATCH)
      await this.#send(all.slice(start, start + MAX_BATCH));
  }

  /** Sends changes in one statement, and waits for it, unless it is slow: others go on then. */
  async #send(batch: readonly Change[]): Promise<void> {
    const sent = this.#execute(batch).finally(() => this.#sent.delete(sent));
    this.#sent.add(sent);
    const isSlow = Promise.withResolvers<void>();
    const timer = setTimeout(isSlow.resolve, SLOW_MS);
    await Promise.race([sent, isSlow.promise]);
    clearTimeout(timer);
    if (this.#sent.size > MAX_SLOW) await Promise.race(this.#sent);
  }

  async #execute(batch: readonly Change[]): Promise<void> {
    const { faultPauseMs = FAULT_PAUSE_MS, onSent, use } = this.#options;
    this.#statements++;
    let rows;
    try {
      rows = await use.change(
        batch.map(({ answers, kind, prepaid, quota }) => ({
          accountId: prepaid.accountId,
          month: prepaid.month,
          answers,
          quota: kind === "pay" ? quota : WHATEVER,
        })),
      );
    } catch (error) {
      this.#isAway = isDatabaseAway(error);
      onSent(this.#isAway);
      if (this.#isAway && use.isReadable) await this.#readUse(batch);
      for (const failed of batch) this.#fail(failed);
      return sleep(faultPauseMs);
    }
    this.#isAway = false;
    onSent(false);
    const byName = new Map(rows.map((row) => [nameOf(row), row]));
    for (const sent of batch) {
      const row = byName.get(nameOf(sent.prepaid));
      if (row === undefined) this.#retry(sent);
      else this.#apply(sent, row);
    }
  }

  /** Lets threads know what is left of months that can't be prepaid. */
  async #readUse(batch: readonly Change[]): Promise<void> {
    const { table, use } = this.#options;
    const rows = await use
      .read(batch.map(({ prepaid }) => prepaid))
      .catch(() => []);
    for (const [index, { used }] of rows.entries()) {
      const { month, place } = batch[index]!.prepaid;
      if (table.used(place, month) === null) table.noteUsed(place, month, used);
    }
  }

  #apply(
    { answers, kind, needed, prepaid, quota }: Change,
    { isGone, taken, used }: ChangedUse,
  ): void {
    const { month, place } = prepaid;
    const { table } = this.#options;
    prepaid.tries = 0;
    if (kind === "pay" && taken > 0) this.#add(prepaid, taken);
    table.noteUsed(place, month, isGone ? quota : used);
    // Less is left than was thought, but perhaps enough.
    prepaid.isUnsure = taken < answers;
    if (prepaid.isUnsure && needed > 0 && needed < answers && !isGone)
      table.want(place, month, needed + table.left(place, month), quota);
    else table.wake(place);
  }

  /** Returns how much to prepay: what a request needs, or what the account needs for some seconds at its rate here. */
  #payment(prepaid: Prepaid, { answers, month, place, quota }: Wanted): Change {
    const { liveNodes, table } = this.#options;
    const left = table.left(place, month);
    const nowMs = performance.now();
    const used = prepaid.total - left;
    const seconds = Math.max((nowMs - prepaid.paidMs) / 1000, 1);
    const rate = (used - prepaid.usedBefore) / seconds;
    prepaid.usedBefore = used;
    prepaid.paidMs = nowMs;
    const free = quota - left - (table.used(place, month) ?? quota);
    const share = Math.floor(free / (SHARE * Math.max(liveNodes(), 1)));
    const wish = Math.min(Math.ceil(rate * PREPAID_SECONDS), share);
    const needed = Math.max(answers - left, 0);
    const most = prepaid.isUnsure ? needed : Math.max(wish, needed);
    return { prepaid, kind: "pay", answers: most, needed, quota };
  }

  #add(prepaid: Prepaid, answers: number): void {
    const { table } = this.#options;
    this.#prepaid.set(nameOf(prepaid), prepaid);
    prepaid.total += answers;
    this.#paid += answers;
    table.add(prepaid.place, prepaid.month, answers);
    prepaid.left = table.left(prepaid.place, prepaid.month);
    prepaid.leftSinceMs = performance.now();
  }

  #takeBack(prepaid: Prepaid): void {
    const { month, place } = prepaid;
    const left = this.#options.table.takeBack(place, month);
    if (left === 0) return;
    prepaid.total -= left;
    prepaid.left = 0;
    this.#givenBack += left;
    this.#return(prepaid, -left);
  }

  /** Gives back answers, a negative number, with the next statement. */
  #return(prepaid: Prepaid, answers: number): void {
    const name = nameOf(prepaid);
    const before = this.#returns.get(name)?.answers ?? 0;
    this.#returns.set(name, change(prepaid, "return", before + answers));
  }

  /** Tries again: another session has the account locked, and nothing was done. */
  #retry({ answers, kind, needed, prepaid, quota }: Change): void {
    const { month, place } = prepaid;
    const { table } = this.#options;
    const pauseMs = Math.min(MIN_PAUSE_MS * 2 ** prepaid.tries++, MAX_PAUSE_MS);
    this.#paused++;
    setTimeout(() => {
      this.#paused--;
      if (kind === "return") this.#return(prepaid, answers);
      else if (kind === "owe") table.owe(place, month, answers);
      else if (needed > 0)
        table.want(place, month, needed + table.left(place, month), quota);
    }, pauseMs);
  }

  /** Handles a failure, of which it is unknown whether something was done. */
  #fail({ answers, kind, prepaid }: Change): void {
    const { month, place } = prepaid;
    const { table } = this.#options;
    prepaid.isUnsure = true;
    if (kind === "owe") table.owe(place, month, answers);
    table.wake(place);
  }

  #prepaidOf(name: string, { accountId, month, place }: Wanted): Prepaid {
    let prepaid = this.#prepaid.get(name);
    if (prepaid === undefined) {
      const nowMs = performance.now();
      prepaid = {
        accountId,
        month,
        place,
        total: 0,
        usedBefore: 0,
        paidMs: nowMs,
        left: 0,
        leftSinceMs: nowMs,
        isUnsure: false,
        tries: 0,
      };
      this.#prepaid.set(name, prepaid);
    }
    return prepaid;
  }
}

function change(
  prepaid: Prepaid,
  kind: Change["kind"],
  answers: number,
): Change {
  return { prepaid, kind, answers, needed: 0, quota: 0 };
}

function nameOf({ accountId, month }: AccountMonth): string {
  return `${accountId} ${month}`;
}
