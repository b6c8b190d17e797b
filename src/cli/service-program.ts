/** The commands of the service as a program, which is built (`program-build`). */
import { runProcess } from "./run-process.ts";
import { SERVICE_COMMANDS } from "./service-commands.ts";

await runProcess(SERVICE_COMMANDS);
