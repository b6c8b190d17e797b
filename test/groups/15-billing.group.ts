/** The tests of `billing`, `mcp`, and `update`, in one process. */

import { runTogether } from "../support/run-together.ts";

await runTogether("{billing,mcp,update}/**/*.test.ts");
