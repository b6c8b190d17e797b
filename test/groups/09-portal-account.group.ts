/** The tests of `portal/account`, in one process. */

import { runTogether } from "../support/run-together.ts";

await runTogether("portal/account/*.test.ts");
