/** The tests of `portal`, without those of its folders, in one process. */

import { runTogether } from "../support/run-together.ts";

await runTogether("portal/*.test.ts");
