/** The tests of snapshots, and of what writes them, in one process. */

import { runTogether } from "../support/run-together.ts";

await runTogether("{changes,importing,snapshot,store}/**/*.test.ts");
