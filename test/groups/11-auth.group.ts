/** The tests of `auth`, in one process. */

import { runTogether } from "../support/run-together.ts";

await runTogether("auth/**/*.test.ts");
