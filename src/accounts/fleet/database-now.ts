import { sql } from "kysely";

/** The database's time in epoch milliseconds: nodes' clocks may differ. */
export const DATABASE_NOW = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;
