import type { System, SystemName } from "./system.ts";

/** Each system's module is loaded on demand, because every library takes memory. */
export const SYSTEMS: Readonly<Record<SystemName, () => Promise<System>>> = {
  ours: () => import("../ours.ts"),
  PostgreSQL: () => import("./postgresql.ts"),
  SQLite: () => import("./sqlite.ts"),
  DuckDB: () => import("./duckdb.ts"),
};
