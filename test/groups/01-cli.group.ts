/** The tests of `cli`, in one process. */

import { runTogether } from "../support/run-together.ts";

await runTogether("cli/**/*.test.ts");
