import type { Kysely } from "kysely";
import type { Random } from "./keys/api-key.ts";
import type { Tables } from "./database/tables.ts";

/** The use of a secret. Each use has its own. */
export type InstallationSecretName =
  /** Signs entity tags, so that clients cannot make them up. */
  | "entity_tags"
  /** Recognizes the addresses of deleted accounts. */
  | "deleted_addresses";

const SECRET_BYTES = 32;

/**
 * Reads a secret of 32 bytes, shared by all processes on one database and as durable. The first process to need it
 * creates it.
 */
export async function installationSecret(
  db: Kysely<Tables>,
  name: InstallationSecretName,
  random: Random,
): Promise<Buffer> {
  const kept = await read(db, name);
  if (kept !== null) return kept;
  const value = Buffer.from(random(SECRET_BYTES)).toString("base64url");
  await db
    .insertInto("api_installation")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const made = await read(db, name);
  if (made === null)
    throw new Error(`The accounts database did not store the secret ${name}.`);
  return made;
}

async function read(
  db: Kysely<Tables>,
  name: InstallationSecretName,
): Promise<Buffer | null> {
  const row = await db
    .selectFrom("api_installation")
    .select("value")
    .where("name", "=", name)
    .executeTakeFirst();
  return row === undefined ? null : Buffer.from(row.value, "base64url");
}
