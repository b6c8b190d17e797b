/** The tests of `fleet`, in one process. */

import { runTogether } from "../support/run-together.ts";

await runTogether("fleet/**/*.test.ts");
