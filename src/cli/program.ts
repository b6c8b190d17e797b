/** The program `provider-directory`, which `main.ts` runs from its build or from the sources. */
import { COMMANDS } from "./commands.ts";
import { runProcess } from "./run-process.ts";

await runProcess(COMMANDS);
