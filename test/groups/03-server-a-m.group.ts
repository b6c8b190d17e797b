/** The tests of `server` whose names begin with A to M, in one process. */

import { runTogether } from "../support/run-together.ts";

await runTogether("server/[a-m]*.test.ts");
