/** The tests of `http`, in one process. */

import { runTogether } from "../support/run-together.ts";

await runTogether("http/**/*.test.ts");
