import { sql, type Kysely } from "kysely";
import { type Tables, DATABASE_NOW } from "../database/tables.ts";

/** A snapshot that was published to the snapshot store. */
export type Publication = Readonly<
  Pick<Tables["fleet_publication"], "epoch" | "snapshot" | "manifest">
>;

/** A publication as the database has it. Times are the database's, in epoch milliseconds. */
export interface PublicationRecord extends Publication {
  /** The name of the node that published it. */
  readonly publisher: string;
  readonly publishedAt: number;
  /** From when on nodes serve it; null while they download it. */
  readonly activatedAt: number | null;
}

/** The publications that nodes serve, and that they should download. */
export interface PublicationState {
  /** The newest activated one; null if there is none. */
  readonly active: PublicationRecord | null;
  /** A newer one that is not activated yet. */
  readonly pending: PublicationRecord | null;
}

/** Selects publications as `PublicationRecord`. */
const SELECT = sql`SELECT epoch, snapshot, manifest, publisher,
  published_at AS "publishedAt", activated_at AS "activatedAt" FROM fleet_publication`;
const NEWEST_ACTIVATED = sql`${SELECT} WHERE activated_at IS NOT NULL ORDER BY epoch DESC`;

/** Expressions of the newest activated publication, and of the newest of all, as JSON. */
export const NEWEST_PUBLICATIONS = sql`
  (SELECT row_to_json(p) FROM (${NEWEST_ACTIVATED} LIMIT 1) AS p) AS active,
  (SELECT row_to_json(p) FROM (${SELECT} ORDER BY epoch DESC LIMIT 1) AS p) AS newest`;

/** The values of `NEWEST_PUBLICATIONS`. */
export interface NewestPublications {
  active: PublicationRecord | null;
  newest: PublicationRecord | null;
}

export function publicationState({
  active,
  newest,
}: NewestPublications): PublicationState {
  const isPending = newest !== null && newest.activatedAt === null;
  return { active, pending: isPending ? newest : null };
}

/** The publications of a fleet, in its PostgreSQL database. */
export class Publications {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async state(): Promise<PublicationState> {
    const { rows } =
      await sql<NewestPublications>`SELECT ${NEWEST_PUBLICATIONS}`.execute(
        this.#db,
      );
    return publicationState(rows[0] ?? { active: null, newest: null });
  }

  /** Returns the newest publication; null if there is none. */
  async newest(): Promise<PublicationRecord | null> {
    const { active, pending } = await this.state();
    return pending ?? active;
  }

  /** Lists the publications whose objects nodes may need: the two newest activated ones, and a pending one. */
  async kept(): Promise<PublicationRecord[]> {
    const { pending } = await this.state();
    const { rows } =
      await sql<PublicationRecord>`${NEWEST_ACTIVATED} LIMIT 2`.execute(
        this.#db,
      );
    return [...(pending === null ? [] : [pending]), ...rows];
  }

  /**
   * Adds a publication, not activated. False if there is one of this epoch or a later one: another publisher was
   * faster. The primary key decides between two at the same time.
   */
  async add(
    { epoch, manifest, snapshot }: Publication,
    publisher: string,
  ): Promise<boolean> {
    const { rows } = await sql`
INSERT INTO fleet_publication (epoch, snapshot, manifest, publisher, published_at)
SELECT ${epoch}::bigint, ${snapshot}, ${manifest}, ${publisher}, ${DATABASE_NOW}
WHERE NOT EXISTS (SELECT FROM fleet_publication WHERE epoch >= ${epoch}::bigint)
ON CONFLICT DO NOTHING RETURNING epoch`.execute(this.#db);
    return rows.length === 1;
  }

  /** Activates a publication. False if there is a newer one. */
  async activate(epoch: number): Promise<boolean> {
    const { rows } = await sql`
UPDATE fleet_publication SET activated_at = coalesce(activated_at, ${DATABASE_NOW})
WHERE epoch = ${epoch}::bigint AND NOT EXISTS (SELECT FROM fleet_publication WHERE epoch > ${epoch}::bigint)
RETURNING epoch`.execute(this.#db);
    return rows.length === 1;
  }
}
