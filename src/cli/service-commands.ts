import type { CommandEntry } from "./command.ts";

export const SERVE: CommandEntry = {
  words: ["serve"],
  load: async () => (await import("./commands/service/serve.ts")).serveCommand,
};

export const START: CommandEntry = {
  words: ["start"],
  load: async () => (await import("./commands/service/start.ts")).startCommand,
};

/** The commands that run until they are stopped. */
export const SERVICE_COMMANDS = [SERVE, START];
