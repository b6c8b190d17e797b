import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { sql } from "kysely";
import {
  ACCOUNTS_FILE,
  AccountsDatabaseError,
} from "../../src/accounts/database/database.ts";
import { openSqlite } from "../../src/accounts/database/open-database.ts";
import { MIGRATIONS } from "../../src/accounts/database/migrations.ts";
import { WITHOUT_RIGHTS } from "../support/program/program.ts";

async function temporaryFolder() {
  const folder = await mkdtemp(join(tmpdir(), "accounts-"));
  return {
    folder,
    file: join(folder, ACCOUNTS_FILE),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

function pragma(file: string, name: string): unknown {
  using connection = new DatabaseSync(file);
  return connection.prepare(`PRAGMA ${name}`).get()?.[name];
}

test("a new database gets its folder, WAL mode and all migrations", async () => {
  await using temporary = await temporaryFolder();
  const file = join(temporary.folder, "data", ACCOUNTS_FILE);
  const db = await openSqlite(file);
  await db.destroy();
  assert.equal(pragma(file, "journal_mode"), "wal");
  using connection = new DatabaseSync(file);
  assert.deepEqual(
    connection
      .prepare("SELECT name FROM kysely_migration ORDER BY name")
      .all()
      .map((row) => row["name"]),
    Object.keys(MIGRATIONS).sort(),
  );
});

test("only its owner can read the database and its companions", async () => {
  await using temporary = await temporaryFolder();
  const db = await openSqlite(temporary.file);
  const files = await readdir(temporary.folder);
  assert.deepEqual(files.sort(), [
    ACCOUNTS_FILE,
    `${ACCOUNTS_FILE}-shm`,
    `${ACCOUNTS_FILE}-wal`,
  ]);
  for (const file of files) {
    const { mode } = await stat(join(temporary.folder, file));
    assert.equal((mode & 0o777).toString(8), "600", file);
  }
  await db.destroy();
});

test("opening it again changes nothing", async () => {
  await using temporary = await temporaryFolder();
  const schemaOf = () => {
    using connection = new DatabaseSync(temporary.file);
    return [
      connection.prepare("SELECT * FROM sqlite_schema").all(),
      connection.prepare("SELECT * FROM kysely_migration").all(),
    ];
  };
  await (await openSqlite(temporary.file)).destroy();
  const before = schemaOf();
  await (await openSqlite(temporary.file)).destroy();
  assert.deepEqual(schemaOf(), before);
});

test("several processes can open a new database at the same moment", async () => {
  await using temporary = await temporaryFolder();
  const children = Array.from({ length: 4 }, () =>
    spawn(
      process.execPath,
      [
        "--input-type=module",
        "--eval",
        `import { openSqlite } from ${JSON.stringify(new URL("../../src/accounts/database/open-database.ts", import.meta.url).href)};
         const db = await openSqlite(${JSON.stringify(temporary.file)});
         await db.selectFrom("api_account").selectAll().execute();
         await db.destroy();`,
      ],
      { stdio: ["ignore", "ignore", "pipe"] },
    ),
  );
  const errors = await Promise.all(
    children.map(async (child) => {
      const text = child.stderr.setEncoding("utf8").toArray();
      const [code] = await once(child, "exit");
      return code === 0 ? "" : (await text).join("");
    }),
  );
  assert.deepEqual(errors, ["", "", "", ""]);
});

test("two connections of one process can open a new database at the same moment", async () => {
  await using temporary = await temporaryFolder();
  const both = await Promise.all([
    openSqlite(temporary.file),
    openSqlite(temporary.file),
  ]);
  for (const db of both) await db.destroy();
});

test("a migration that fails leaves the database as it was", async () => {
  await using temporary = await temporaryFolder();
  {
    using connection = new DatabaseSync(temporary.file);
    connection.exec("CREATE TABLE api_usage (something TEXT)");
  }
  await assert.rejects(
    openSqlite(temporary.file),
    (error) =>
      error instanceof AccountsDatabaseError &&
      /^Cannot migrate the accounts database .* to the schema/.test(
        error.message,
      ),
  );
  using connection = new DatabaseSync(temporary.file);
  assert.deepEqual(
    connection
      .prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'api%'")
      .all()
      .map((row) => row["name"]),
    ["api_usage"],
    "tables created before the failure are rolled back",
  );
});

test("a database of a newer version is refused with a message", async () => {
  await using temporary = await temporaryFolder();
  await (await openSqlite(temporary.file)).destroy();
  {
    using connection = new DatabaseSync(temporary.file);
    connection.exec(
      "INSERT INTO kysely_migration VALUES ('9999-future', '2099-01-01T00:00:00.000Z')",
    );
  }
  await assert.rejects(openSqlite(temporary.file), {
    name: "AccountsDatabaseError",
    message: /was written by a newer version of this program/,
  });
});

test("a file that is not a database is refused and left unchanged", async () => {
  await using temporary = await temporaryFolder();
  await writeFile(temporary.file, "not a database ".repeat(1_000));
  await assert.rejects(openSqlite(temporary.file), {
    name: "AccountsDatabaseError",
    message:
      /^The accounts database .* cannot be opened: it is damaged \(file is not a database\)/,
  });
  assert.equal((await stat(temporary.file)).size, 15_000);
});

test("a database that this user may not open is named, not its folder", async () => {
  await using temporary = await temporaryFolder();
  const { file } = temporary;
  await (await openSqlite(file)).destroy();
  await chmod(file, 0);
  const module = import.meta
    .resolve("../../src/accounts/database/open-database.ts");
  const script = `const { openSqlite } = await import(${JSON.stringify(module)});
    await openSqlite(${JSON.stringify(file)}).catch(({ message }) => console.log(message));`;
  const [setpriv, ...options] = WITHOUT_RIGHTS;
  const { stdout } = spawnSync(
    setpriv,
    [...options, process.execPath, "-e", script],
    { encoding: "utf8" },
  );
  assert.equal(
    stdout,
    `The accounts database ${file} cannot be opened: this user cannot write to ${file}. Give this user write access, or choose another data folder with --data-dir or DATA_DIR.\n`,
  );
});

test("a transaction that a full disk has rolled back fails with that reason", async () => {
  await using temporary = await temporaryFolder();
  const db = await openSqlite(temporary.file);
  await sql`CREATE TABLE filled (bytes BLOB)`.execute(db);
  const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(
    db,
  );
  const most = (rows[0]?.page_count ?? 0) + 4;
  await sql.raw(`PRAGMA max_page_count = ${most}`).execute(db);
  await assert.rejects(
    db
      .transaction()
      .execute((within) =>
        sql`INSERT OR ROLLBACK INTO filled VALUES (zeroblob(1000000))`.execute(
          within,
        ),
      ),
    /cannot be written/,
  );
  await db.destroy();
});
