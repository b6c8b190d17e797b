import { PostgresAdapter, type CreateTableBuilder, type Kysely } from "kysely";

/** Adds a primary key `id` that the database generates and never reuses. */
export function withId<Table extends string>(
  db: Kysely<unknown>,
  table: CreateTableBuilder<Table>,
): CreateTableBuilder<Table, "id"> {
  const isPostgresql = db.getExecutor().adapter instanceof PostgresAdapter;
  return table.addColumn("id", "integer", (column) =>
    isPostgresql
      ? column.primaryKey().generatedByDefaultAsIdentity()
      : column.primaryKey().autoIncrement(),
  );
}
