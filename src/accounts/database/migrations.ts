import type { Migration as KyselyMigration } from "kysely";
import { up as createAccounts } from "./migrations/0001-accounts.ts";
import { up as addNamesHoursAudit } from "./migrations/0002-names-hours-audit.ts";
import { up as addUsers } from "./migrations/0003-people.ts";
import { up as addBilling } from "./migrations/0004-billing.ts";
import { up as addInstallation } from "./migrations/0005-installation.ts";
import { up as boundAttempts } from "./migrations/0006-attempts.ts";
import { up as addExplorerPages } from "./migrations/0007-explorer-pages.ts";
import { up as addKeyEndsTwoFactor } from "./migrations/0008-key-ends-two-factor.ts";
import { up as keepDeletedAddresses } from "./migrations/0009-deleted-addresses.ts";
import { up as addGateAndFleet } from "./migrations/0010-gate-and-fleet.ts";
import { up as addOldestProgram } from "./migrations/0011-oldest-program.ts";
import { up as addKeySuccessors } from "./migrations/0012-key-successors.ts";

export interface Migration extends KyselyMigration {
  /**
   * The oldest program that can run on the schema afterwards, by the name of its newest migration. Without it, only
   * programs that have this migration can. State it for a migration that only adds (tables, columns with defaults,
   * indexes), and remove what older programs use one version later.
   */
  readonly oldestProgram?: string;
}

/** Migrations by their names, whose order is the order in which they run. */
export type Migrations = Readonly<Record<string, Migration>>;

/** Every migration. A released migration is never changed; add another. */
export const MIGRATIONS: Migrations = {
  "0001-accounts": { up: createAccounts },
  "0002-names-hours-audit": { up: addNamesHoursAudit },
  "0003-people": { up: addUsers },
  "0004-billing": { up: addBilling },
  "0005-installation": { up: addInstallation },
  "0006-attempts": { up: boundAttempts },
  "0007-explorer-pages": { up: addExplorerPages },
  "0008-key-ends-two-factor": { up: addKeyEndsTwoFactor },
  "0009-deleted-addresses": { up: keepDeletedAddresses },
  "0010-gate-and-fleet": { up: addGateAndFleet },
  // Older programs know nothing of `oldestProgram`.
  "0011-oldest-program": { up: addOldestProgram },
  "0012-key-successors": {
    up: addKeySuccessors,
    oldestProgram: "0011-oldest-program",
  },
};
