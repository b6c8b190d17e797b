import type { Kysely } from "kysely";
import type { Tables } from "./database/tables.ts";
import type { Random } from "./keys/api-key.ts";

/** The context of every part of the accounts. */
export interface AccountsContext {
  readonly db: Kysely<Tables>;
  /** Returns epoch milliseconds. */
  readonly clock: () => number;
  readonly random: Random;
  /** The actor in the audit log. */
  readonly actor: string;
}

/** A page of a list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}
