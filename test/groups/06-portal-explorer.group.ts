/** The tests of `portal/explorer`, in one process. */

import { runTogether } from "../support/run-together.ts";

await runTogether("portal/explorer/*.test.ts");
