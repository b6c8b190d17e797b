import type { Migration, MigrationProvider } from "kysely";
import { up as createAccounts } from "./migrations/0001-accounts.ts";
import { up as addNamesHoursAudit } from "./migrations/0002-names-hours-audit.ts";
import { up as addPeople } from "./migrations/0003-people.ts";
import { up as addBilling } from "./migrations/0004-billing.ts";
import { up as addInstallation } from "./migrations/0005-installation.ts";
import { up as boundAttempts } from "./migrations/0006-attempts.ts";
import { up as addExplorerPages } from "./migrations/0007-explorer-pages.ts";
import { up as addKeyEndsTwoFactor } from "./migrations/0008-key-ends-two-factor.ts";
import { up as keepDeletedAddresses } from "./migrations/0009-deleted-addresses.ts";

/** Every migration by its name, in order. A released one is never changed, only followed. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-accounts": { up: createAccounts },
  "0002-names-hours-audit": { up: addNamesHoursAudit },
  "0003-people": { up: addPeople },
  "0004-billing": { up: addBilling },
  "0005-installation": { up: addInstallation },
  "0006-attempts": { up: boundAttempts },
  "0007-explorer-pages": { up: addExplorerPages },
  "0008-key-ends-two-factor": { up: addKeyEndsTwoFactor },
  "0009-deleted-addresses": { up: keepDeletedAddresses },
};

/** The migrations as Kysely's migrator asks for them: from the code, not from a folder. */
export const MIGRATION_PROVIDER: MigrationProvider = {
  getMigrations() {
    return Promise.resolve({ ...MIGRATIONS });
  },
};
