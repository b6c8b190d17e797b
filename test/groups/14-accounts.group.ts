/** The tests of `accounts`, without those of its folders, in one process. */

import { runTogether } from "../support/run-together.ts";

await runTogether("accounts/*.test.ts");
