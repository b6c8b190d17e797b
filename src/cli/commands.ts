import type { Command, CommandEntry, NamedCommand } from "./command.ts";

/**
 * All commands of the program, in the order of its help. A command's file is loaded when it is called: loading all of
 * them takes longer than most commands run.
 */
export const COMMANDS: readonly CommandEntry[] = [
  entry(
    "update",
    async () => (await import("./commands/registry/update.ts")).updateCommand,
  ),
  entry(
    "import",
    async () => (await import("./commands/registry/import.ts")).importCommand,
  ),
  entry(
    "serve",
    async () => (await import("./commands/service/serve.ts")).serveCommand,
  ),
  entry(
    "status",
    async () => (await import("./commands/service/status.ts")).statusCommand,
  ),
  entry(
    "changes",
    async () => (await import("./commands/registry/changes.ts")).changesCommand,
  ),
  entry(
    "search",
    async () => (await import("./commands/registry/search.ts")).searchCommand,
  ),
  entry(
    "export",
    async () => (await import("./commands/registry/export.ts")).exportCommand,
  ),
  entry(
    "check",
    async () => (await import("./commands/registry/check.ts")).checkCommand,
  ),
  entry(
    "mcp",
    async () => (await import("./commands/registry/mcp.ts")).mcpCommand,
  ),
  ...group(
    "keys",
    ["create", "list", "rename", "revoke", "rotate"],
    async () => (await import("./commands/keys.ts")).KEYS,
  ),
  ...group(
    "accounts",
    [
      "list",
      "show",
      "set-plan",
      "suspend",
      "resume",
      "disable-2fa",
      "delete",
      "audit",
      "backup",
      "migrate",
    ],
    async () => (await import("./commands/accounts.ts")).ACCOUNTS_COMMANDS,
  ),
  ...group(
    "snapshots",
    ["list", "inspect", "verify", "rollback"],
    async () => (await import("./commands/snapshots.ts")).SNAPSHOTS,
  ),
  entry(
    "publish",
    async () => (await import("./commands/fleet.ts")).publishCommand,
  ),
  entry(
    "fleet",
    async () => (await import("./commands/fleet.ts")).fleetCommand,
  ),
  entry("demo", async () => (await import("./commands/demo.ts")).demoCommand),
  entry(
    "generate",
    async () => (await import("./commands/demo.ts")).generateCommand,
  ),
  entry(
    "start",
    async () => (await import("./commands/service/start.ts")).startCommand,
  ),
];

function entry(word: string, load: CommandEntry["load"]): CommandEntry {
  return { words: [word], load };
}

/** Makes the entries of commands in one file, whose first word is the same. */
function group<Word extends string>(
  first: string,
  words: readonly Word[],
  load: () => Promise<Readonly<Record<Word, Command>>>,
): CommandEntry[] {
  return words.map((word) => ({
    words: [first, word],
    load: async () => (await load())[word],
  }));
}

/** Loads every command, in the order of the help. */
export async function loadCommands(
  entries: readonly CommandEntry[],
): Promise<NamedCommand[]> {
  return await Promise.all(
    entries.map(async ({ load, words }) => ({ ...(await load()), words })),
  );
}
