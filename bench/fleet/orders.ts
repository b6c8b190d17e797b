/** What the simulation's processes tell each other. */

/** Which node a request goes to: that of its account, or any. */
const BALANCES = ["key", "round-robin"] as const;
export type Balance = (typeof BALANCES)[number];

/** How accounts are drawn: the one in place n with a probability of 1/n, or all alike. */
const DRAWS = ["zipf", "uniform"] as const;
export type Draw = (typeof DRAWS)[number];

/** True if a text names a way to balance. */
export function isBalance(text: string): text is Balance {
  return BALANCES.some((balance) => balance === text);
}

/** True if a text names a way to draw accounts. */
export function isDraw(text: string): text is Draw {
  return DRAWS.some((draw) => draw === text);
}

/** The work of one process: nodes `first`, `first + step`, … of `nodes`. */
export interface NodesOrder {
  readonly url: string;
  readonly first: number;
  readonly step: number;
  readonly nodes: number;
  readonly accounts: number;
  /** Requests a second, of all processes together. */
  readonly perSecond: number;
  readonly balance: Balance;
  readonly draw: Draw;
}

/** The names of what is timed at the nodes. */
export const TIMED = ["quota", "flush", "feed", "heartbeat", "other"] as const;
export type Timed = (typeof TIMED)[number];

/** What a process measured; times in milliseconds. */
export interface NodesReport {
  readonly answers: number;
  /** Requests that got another outcome than an answer, by its name. */
  readonly refused: Readonly<Record<string, number>>;
  /** Requests that should have been sent and weren't, because too many were open. */
  readonly unsent: number;
  /** Statements at the nodes, with the wait for a connection. */
  readonly times: Readonly<Record<Timed, readonly number[]>>;
  /** How long requests waited for prepaid quota. */
  readonly quotaWaits: readonly number[];
  readonly processorSeconds: number;
  /** How late the process's timers were. */
  readonly loopDelay: { readonly p50: number; readonly p99: number };
}

/** What a process answered from its start to the end. */
export interface NodesTotal {
  readonly answers: number;
  readonly failedFlushes: number;
}
