/** The program's commands with their settings and texts, for tests that go through all of them. */

import { COMMANDS, loadCommands } from "../../../src/cli/commands.ts";

export const LOADED_COMMANDS = await loadCommands(COMMANDS);
