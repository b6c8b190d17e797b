import { accountsAuditCommand } from "./accounts-audit.ts";
import { accountsBackupCommand } from "./accounts-backup.ts";
import {
  accountsDisableTwoFactorCommand,
  accountsResumeCommand,
  accountsSetPlanCommand,
  accountsSuspendCommand,
} from "./accounts-change.ts";
import { accountsDeleteCommand } from "./accounts-delete.ts";
import { accountsListCommand } from "./accounts-list.ts";
import { accountsMigrateCommand } from "./accounts-migrate.ts";
import { accountsShowCommand } from "./accounts-show.ts";
import type { Command } from "./command.ts";
import { changesCommand } from "./changes.ts";
import { demoCommand } from "./demo.ts";
import { generateCommand } from "./generate.ts";
import { importCommand } from "./import.ts";
import { keysCreateCommand } from "./keys-create.ts";
import { keysListCommand } from "./keys-list.ts";
import { keysRevokeCommand } from "./keys-revoke.ts";
import { keysRotateCommand } from "./keys-rotate.ts";
import { serveCommand } from "./serve.ts";
import { snapshotsListCommand } from "./snapshots-list.ts";
import { snapshotsRollbackCommand } from "./snapshots-rollback.ts";
import { snapshotsVerifyCommand } from "./snapshots-verify.ts";
import { startCommand } from "./start.ts";
import { statusCommand } from "./status.ts";
import { updateCommand } from "./update.ts";

/** All commands of the program, in the order of its help. */
export const COMMANDS: readonly Command[] = [
  updateCommand,
  importCommand,
  serveCommand,
  statusCommand,
  changesCommand,
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
  snapshotsVerifyCommand,
  snapshotsRollbackCommand,
  demoCommand,
  generateCommand,
  startCommand,
];
