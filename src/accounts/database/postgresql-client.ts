import { callbackify } from "node:util";
import { Client, type QueryConfig } from "pg";
import {
  isConnectionLost,
  NoHostError,
  OtherSessionError,
  type Server,
} from "./postgresql-fault.ts";
import type { Session } from "./server-hosts.ts";

/** The shortest time to connect to one of several hosts, in milliseconds. */
const MIN_CONNECT_MS = 1_000;

/** The hosts of a pool. Connections go to the host that worked last, and to the next ones in turn if it fails. */
export class Hosts {
  readonly #server: Server;
  readonly #faultOf = new Map<number, unknown>();
  readonly #faults = new WeakSet<Error>();
  #current = 0;
  #generation = 0;

  constructor(server: Server) {
    this.#server = server;
  }

  get count(): number {
    return this.#server.hosts.urls.length;
  }

  get session(): Session {
    return this.#server.hosts.session;
  }

  /** The host to connect to now: a number from 0. */
  get current(): number {
    return this.#current;
  }

  /** Changes when a connection is lost: an older connection may lead to the same dead or demoted server. */
  get generation(): number {
    return this.#generation;
  }

  urlOf(host: number): string {
    const { urls } = this.#server.hosts;
    return urls[host] ?? urls[0];
  }

  noteConnected(host: number): void {
    this.#faultOf.delete(host);
    this.#current = host;
  }

  noteFault(host: number, fault: Error): void {
    this.#faultOf.set(host, fault);
    this.#faults.add(fault);
    if (host === this.#current) this.#current = (host + 1) % this.count;
  }

  /** Whether a connection could not be made because a host failed; it is not if all connections are in use. */
  isFault(error: unknown): boolean {
    return (
      error instanceof Error &&
      (this.#faults.has(error) || this.isFault(error.cause))
    );
  }

  noteLost(generation: number): void {
    if (generation === this.#generation) this.#generation++;
  }

  /** Why no host can be used; `last` is the fault of the last one. */
  fault(last: unknown): unknown {
    return this.count === 1 || !this.isFault(last)
      ? last
      : new NoHostError(this.#server, this.#faultOf);
  }
}

export interface ClientLimits {
  /** How long it may take to connect, in milliseconds; several hosts share it. */
  readonly connectWithinMs: number;
  /** How long an answer may take, in milliseconds; null for as long as it takes. */
  readonly answerWithinMs: number | null;
}

/**
 * `direct`: the server process is the one that said hello, so no pooler is in between. Only then the timeout is set for
 * the session: a pooler would leave it to other clients, and refuses it as a parameter of the connection.
 */
const CHECK = `SELECT pg_is_in_recovery() AS standby,
  current_setting('transaction_read_only') = 'on' AS "readOnly",
  pg_backend_pid() = $1::integer AS direct,
  CASE WHEN pg_backend_pid() = $1::integer THEN set_config('statement_timeout', $2, false) END`;

interface SessionRow {
  readonly standby: boolean;
  readonly readOnly: boolean;
  readonly direct: boolean;
}

/** A connection to the current host, which fails if the session cannot do what the URL asks for. */
export class HostClient extends Client {
  /** See `Hosts`. */
  readonly generation: number;
  readonly #hosts: Hosts;
  readonly #host: number;
  readonly #limits: ClientLimits;
  #isPooled = true;

  constructor(hosts: Hosts, limits: ClientLimits, config: object) {
    const host = hosts.current;
    super({
      ...config,
      connectionString: hosts.urlOf(host),
      connectionTimeoutMillis: timeForOne(hosts, limits),
    });
    this.#hosts = hosts;
    this.#host = host;
    this.#limits = limits;
    this.generation = hosts.generation;
  }

  /** Whether a pooler such as PgBouncer may give each transaction another session. */
  get isPooled(): boolean {
    return this.#isPooled;
  }

  override connect(): Promise<Client>;
  override connect(
    callback: (error: Error | null, client?: Client) => void,
  ): void;
  override connect(
    callback?: (error: Error | null, client?: Client) => void,
  ): Promise<Client> | void {
    const connected = this.#connect();
    if (callback === undefined) return connected;
    callbackify(() => connected)(callback);
  }

  async #connect(): Promise<Client> {
    // Without a listener, losing the connection during the check would end the process.
    this.on("error", ignore);
    try {
      await super.connect();
      await this.#check();
      this.#hosts.noteConnected(this.#host);
      return this;
    } catch (error) {
      this.end().catch(ignore);
      const fault = error instanceof Error ? error : new Error(String(error));
      if (isConnectionLost(fault)) this.#hosts.noteFault(this.#host, fault);
      throw fault;
    } finally {
      this.off("error", ignore);
    }
  }

  async #check(): Promise<void> {
    const question: QueryConfig & { query_timeout: number } = {
      text: CHECK,
      values: [
        Reflect.get(this, "processID"),
        String(this.#limits.answerWithinMs ?? 0),
      ],
      query_timeout: timeForOne(this.#hosts, this.#limits),
    };
    const [row] = (await this.query<SessionRow>(question)).rows;
    if (row === undefined) throw new Error("the server's response is empty");
    const { session } = this.#hosts;
    const refusal = refusalOf(row, session);
    if (refusal !== null) throw new OtherSessionError(refusal);
    this.#isPooled = !row.direct;
  }
}

function timeForOne(hosts: Hosts, { connectWithinMs }: ClientLimits): number {
  return hosts.count === 1
    ? connectWithinMs
    : Math.max(MIN_CONNECT_MS, connectWithinMs / hosts.count);
}

/** Why a session is not what the URL asks for; null if it is. */
function refusalOf(
  { readOnly, standby }: SessionRow,
  session: Session,
): string | null {
  switch (session) {
    case "any":
      return null;
    case "read-write":
      if (!readOnly) return null;
      return standby ? IS_STANDBY : "the server is read-only";
    case "primary":
      return standby ? IS_STANDBY : null;
    case "read-only":
      return readOnly ? null : "the server is not read-only";
    default:
      return standby ? null : "the server is not a standby";
  }
}

function ignore(): void {
  // An error of a connection that is given up.
}

const IS_STANDBY = "the server is a standby, which is read-only";
