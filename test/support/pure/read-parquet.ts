import assert from "node:assert/strict";
import { DuckDBInstance } from "@duckdb/node-api";

/** Reads a Parquet file with DuckDB: its rows, and the types of its columns. */
export async function readParquet(file: string) {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    const described = await connection.runAndReadAll(
      `DESCRIBE SELECT * FROM '${file}'`,
    );
    const read = await connection.runAndReadAll(`SELECT * FROM '${file}'`);
    return {
      types: new Map(
        described
          .getRowObjectsJson()
          .map(
            ({ column_name: name, column_type: type }) =>
              [textOf(name), textOf(type)] as const,
          ),
      ),
      rows: read.getRowObjectsJson(),
    };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function textOf(value: unknown): string {
  assert.ok(typeof value === "string");
  return value;
}
