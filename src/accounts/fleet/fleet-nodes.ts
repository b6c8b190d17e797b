import { sql, type Kysely } from "kysely";
import { type Tables, DATABASE_NOW } from "../database/tables.ts";
import {
  NEWEST_PUBLICATIONS,
  publicationState,
  type NewestPublications,
  type PublicationState,
} from "./publications.ts";

/** A node without a heartbeat for this long isn't running, as far as other nodes know. */
export const LIVE_MS = 15_000;
/** The time that the row of a node that vanished is kept. */
const KEPT_MS = 86_400_000;

/** The process of a node. */
export interface NodeIdentity {
  /** A UUID, new at each start. */
  readonly process: string;
  /** Its name for people (`NODE_NAME`). */
  readonly name: string;
  /** The program's version. */
  readonly version: string;
}

/** A node's report with each heartbeat. */
export interface NodeReport {
  /**
   * The newest publication that it has downloaded and verified: 0 if it has none yet, null if it doesn't pull
   * publications.
   */
  readonly heldEpoch: number | null;
  /** The publication that it serves; null without one. */
  readonly servedEpoch: number | null;
  /** A sentence for the operator; null while all is well. */
  readonly problem: string | null;
}

/** The result of a heartbeat. */
export interface FleetState {
  /** Nodes seen within `LIVE_MS`, this one included. */
  readonly liveNodes: number;
  readonly publications: PublicationState;
}

/** A node as its last heartbeat described it. */
export interface FleetNode extends NodeIdentity, NodeReport {
  /** Milliseconds since its start, and since its last heartbeat. */
  readonly upMs: number;
  readonly silentMs: number;
}

/** The nodes over one PostgreSQL database. */
export class FleetNodes {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Records that a node is running, in one statement. */
  async beat(
    { name, process, version }: NodeIdentity,
    { heldEpoch, problem, servedEpoch }: NodeReport,
  ): Promise<FleetState> {
    const { rows } = await sql<{ others: number } & NewestPublications>`
WITH beat AS (
  INSERT INTO fleet_node AS node
    (process, name, version, started_at, seen_at, held_epoch, served_epoch, problem)
  VALUES (${process}, ${name}, ${version}, ${DATABASE_NOW}, ${DATABASE_NOW}, ${heldEpoch}, ${servedEpoch}, ${problem})
  ON CONFLICT (process) DO UPDATE SET
    name = excluded.name, seen_at = excluded.seen_at, held_epoch = excluded.held_epoch,
    served_epoch = excluded.served_epoch, problem = excluded.problem
)
SELECT count(*) AS others, ${NEWEST_PUBLICATIONS} FROM fleet_node
WHERE process <> ${process} AND seen_at > ${DATABASE_NOW} - ${sql.lit(LIVE_MS)}`.execute(
      this.#db,
    );
    const [row = { others: 0, active: null, newest: null }] = rows;
    return {
      liveNodes: 1 + row.others,
      publications: publicationState(row),
    };
  }

  /** Lists all nodes of the last day, by name. */
  async list(): Promise<FleetNode[]> {
    const { rows } = await sql<FleetNode>`
SELECT process, name, version, held_epoch AS "heldEpoch", served_epoch AS "servedEpoch", problem,
  ${DATABASE_NOW} - started_at AS "upMs", ${DATABASE_NOW} - seen_at AS "silentMs"
FROM fleet_node ORDER BY name, started_at`.execute(this.#db);
    return rows;
  }

  /** Removes a node that stops. */
  async leave(process: string): Promise<void> {
    await this.#db
      .deleteFrom("fleet_node")
      .where("process", "=", process)
      .execute();
  }

  /** Removes nodes that vanished a day ago. */
  async purge(): Promise<void> {
    await this.#db
      .deleteFrom("fleet_node")
      .where("seen_at", "<", sql<number>`${DATABASE_NOW} - ${sql.lit(KEPT_MS)}`)
      .execute();
  }
}
