import { accountsAuditCommand } from "./commands/accounts/accounts-audit.ts";
import { accountsBackupCommand } from "./commands/accounts/accounts-backup.ts";
import {
  accountsDisableTwoFactorCommand,
  accountsResumeCommand,
  accountsSetPlanCommand,
  accountsSuspendCommand,
} from "./commands/accounts/accounts-change.ts";
import { accountsDeleteCommand } from "./commands/accounts/accounts-delete.ts";
import { accountsListCommand } from "./commands/accounts/accounts-list.ts";
import { accountsMigrateCommand } from "./commands/accounts/accounts-migrate.ts";
import { accountsShowCommand } from "./commands/accounts/accounts-show.ts";
import type { Command } from "./command.ts";
import { checkCommand } from "./commands/registry/check.ts";
import { changesCommand } from "./commands/registry/changes.ts";
import { demoCommand } from "./commands/demo/demo.ts";
import { generateCommand } from "./commands/demo/generate.ts";
import { fleetCommand } from "./commands/fleet/fleet.ts";
import { publishCommand } from "./commands/fleet/publish.ts";
import { importCommand } from "./commands/registry/import.ts";
import { keysCreateCommand } from "./commands/keys/keys-create.ts";
import { keysListCommand } from "./commands/keys/keys-list.ts";
import { keysRevokeCommand } from "./commands/keys/keys-revoke.ts";
import { keysRotateCommand } from "./commands/keys/keys-rotate.ts";
import { searchCommand } from "./commands/registry/search.ts";
import { serveCommand } from "./commands/service/serve.ts";
import { snapshotsInspectCommand } from "./commands/snapshots/snapshots-inspect.ts";
import { snapshotsListCommand } from "./commands/snapshots/snapshots-list.ts";
import { snapshotsRollbackCommand } from "./commands/snapshots/snapshots-rollback.ts";
import { snapshotsVerifyCommand } from "./commands/snapshots/snapshots-verify.ts";
import { startCommand } from "./commands/service/start.ts";
import { statusCommand } from "./commands/service/status.ts";
import { updateCommand } from "./commands/registry/update.ts";

/** All commands of the program, in the order of its help. */
export const COMMANDS: readonly Command[] = [
  updateCommand,
  importCommand,
  serveCommand,
  statusCommand,
  changesCommand,
  searchCommand,
  checkCommand,
  keysCreateCommand,
  keysListCommand,
  keysRevokeCommand,
  keysRotateCommand,
  accountsListCommand,
  accountsShowCommand,
  accountsSetPlanCommand,
  accountsSuspendCommand,
  accountsResumeCommand,
  accountsDisableTwoFactorCommand,
  accountsDeleteCommand,
  accountsAuditCommand,
  accountsBackupCommand,
  accountsMigrateCommand,
  snapshotsListCommand,
  snapshotsInspectCommand,
  snapshotsVerifyCommand,
  snapshotsRollbackCommand,
  publishCommand,
  fleetCommand,
  demoCommand,
  generateCommand,
  startCommand,
];
