/** The tests of `billing` and `update`, in one process. */

import { runTogether } from "../support/run-together.ts";

await runTogether("{billing,update}/**/*.test.ts");
