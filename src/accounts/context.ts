import type { Kysely } from "kysely";
import type { Tables } from "./database/tables.ts";
import type { Random } from "./keys/api-key.ts";

/** What the parts of the accounts work with. */
export interface AccountsContext {
  readonly db: Kysely<Tables>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly random: Random;
  /** Who is at work, for the audit log. */
  readonly actor: string;
}

/** A part of a list: so many rows, behind so many others. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}
