/** The tests of `server`, in one process. */

import { runTogether } from "../support/run-together.ts";

await runTogether("server/**/*.test.ts");
