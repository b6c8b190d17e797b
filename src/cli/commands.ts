import type { CommandEntry, NamedCommand } from "./command.ts";

/**
 * All commands of the program, in the order of its help. A command's file is loaded when it is called: loading all of
 * them takes longer than most commands run.
 */
export const COMMANDS: readonly CommandEntry[] = [
  {
    words: ["update"],
    load: async () =>
      (await import("./commands/registry/update.ts")).updateCommand,
  },
  {
    words: ["import"],
    load: async () =>
      (await import("./commands/registry/import.ts")).importCommand,
  },
  {
    words: ["serve"],
    load: async () =>
      (await import("./commands/service/serve.ts")).serveCommand,
  },
  {
    words: ["status"],
    load: async () =>
      (await import("./commands/service/status.ts")).statusCommand,
  },
  {
    words: ["changes"],
    load: async () =>
      (await import("./commands/registry/changes.ts")).changesCommand,
  },
  {
    words: ["search"],
    load: async () =>
      (await import("./commands/registry/search.ts")).searchCommand,
  },
  {
    words: ["export"],
    load: async () =>
      (await import("./commands/registry/export.ts")).exportCommand,
  },
  {
    words: ["check"],
    load: async () =>
      (await import("./commands/registry/check.ts")).checkCommand,
  },
  {
    words: ["keys", "create"],
    load: async () =>
      (await import("./commands/keys/keys-create.ts")).keysCreateCommand,
  },
  {
    words: ["keys", "list"],
    load: async () =>
      (await import("./commands/keys/keys-list.ts")).keysListCommand,
  },
  {
    words: ["keys", "revoke"],
    load: async () =>
      (await import("./commands/keys/keys-revoke.ts")).keysRevokeCommand,
  },
  {
    words: ["keys", "rotate"],
    load: async () =>
      (await import("./commands/keys/keys-rotate.ts")).keysRotateCommand,
  },
  {
    words: ["accounts", "list"],
    load: async () =>
      (await import("./commands/accounts/accounts-list.ts"))
        .accountsListCommand,
  },
  {
    words: ["accounts", "show"],
    load: async () =>
      (await import("./commands/accounts/accounts-show.ts"))
        .accountsShowCommand,
  },
  {
    words: ["accounts", "set-plan"],
    load: async () =>
      (await import("./commands/accounts/accounts-change.ts"))
        .accountsSetPlanCommand,
  },
  {
    words: ["accounts", "suspend"],
    load: async () =>
      (await import("./commands/accounts/accounts-change.ts"))
        .accountsSuspendCommand,
  },
  {
    words: ["accounts", "resume"],
    load: async () =>
      (await import("./commands/accounts/accounts-change.ts"))
        .accountsResumeCommand,
  },
  {
    words: ["accounts", "disable-2fa"],
    load: async () =>
      (await import("./commands/accounts/accounts-change.ts"))
        .accountsDisableTwoFactorCommand,
  },
  {
    words: ["accounts", "delete"],
    load: async () =>
      (await import("./commands/accounts/accounts-delete.ts"))
        .accountsDeleteCommand,
  },
  {
    words: ["accounts", "audit"],
    load: async () =>
      (await import("./commands/accounts/accounts-audit.ts"))
        .accountsAuditCommand,
  },
  {
    words: ["accounts", "backup"],
    load: async () =>
      (await import("./commands/accounts/accounts-backup.ts"))
        .accountsBackupCommand,
  },
  {
    words: ["accounts", "migrate"],
    load: async () =>
      (await import("./commands/accounts/accounts-migrate.ts"))
        .accountsMigrateCommand,
  },
  {
    words: ["snapshots", "list"],
    load: async () =>
      (await import("./commands/snapshots/snapshots-list.ts"))
        .snapshotsListCommand,
  },
  {
    words: ["snapshots", "inspect"],
    load: async () =>
      (await import("./commands/snapshots/snapshots-inspect.ts"))
        .snapshotsInspectCommand,
  },
  {
    words: ["snapshots", "verify"],
    load: async () =>
      (await import("./commands/snapshots/snapshots-verify.ts"))
        .snapshotsVerifyCommand,
  },
  {
    words: ["snapshots", "rollback"],
    load: async () =>
      (await import("./commands/snapshots/snapshots-rollback.ts"))
        .snapshotsRollbackCommand,
  },
  {
    words: ["publish"],
    load: async () =>
      (await import("./commands/fleet/publish.ts")).publishCommand,
  },
  {
    words: ["fleet"],
    load: async () => (await import("./commands/fleet/fleet.ts")).fleetCommand,
  },
  {
    words: ["demo"],
    load: async () => (await import("./commands/demo/demo.ts")).demoCommand,
  },
  {
    words: ["generate"],
    load: async () =>
      (await import("./commands/demo/generate.ts")).generateCommand,
  },
  {
    words: ["start"],
    load: async () =>
      (await import("./commands/service/start.ts")).startCommand,
  },
];

/** Every command with its file loaded, in the order of the help. */
export async function loadCommands(
  entries: readonly CommandEntry[],
): Promise<NamedCommand[]> {
  return await Promise.all(
    entries.map(async ({ load, words }) => ({ ...(await load()), words })),
  );
}
