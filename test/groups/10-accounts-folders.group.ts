/** The tests of the folders in `accounts`, in one process. */

import { runTogether } from "../support/run-together.ts";

await runTogether("accounts/*/**/*.test.ts");
