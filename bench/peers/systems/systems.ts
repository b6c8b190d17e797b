import type { System, SystemName } from "./system.ts";

/** Each system's module is loaded when it is asked for: the libraries of the others take memory too. */
export const SYSTEMS: Readonly<Record<SystemName, () => Promise<System>>> = {
  ours: () => import("../ours.ts"),
  PostgreSQL: () => import("./postgresql.ts"),
  SQLite: () => import("./sqlite.ts"),
  DuckDB: () => import("./duckdb.ts"),
};
