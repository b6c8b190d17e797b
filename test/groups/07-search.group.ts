/** The tests of `search`, in one process. */

import { runTogether } from "../support/run-together.ts";

await runTogether("search/**/*.test.ts");
