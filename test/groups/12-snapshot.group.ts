/** The tests of snapshots, of what writes them, and of their files, in one process. */

import { runTogether } from "../support/run-together.ts";

await runTogether("{changes,importing,snapshot,store,tables}/**/*.test.ts");
