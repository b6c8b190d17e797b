/** The tests of `cli`, in one process. */

import { runTogether } from "../support/run-together.ts";

await runTogether(["cli/**/*.test.ts"], {
  onlyInFull: [
    "cli/database-lost.test.ts",
    "cli/commands/import-faults.test.ts",
    "cli/commands/*-survives.test.ts",
    "cli/commands/update-schedule.test.ts",
  ],
});
