/** The tests of `server` whose names begin with N to Z, in one process. */

import { runTogether } from "../support/run-together.ts";

await runTogether("server/[n-z]*.test.ts");
