/** The tests of the TypeScript client, in one process. */

import { runTogether } from "../support/run-together.ts";

await runTogether("client/**/*.test.ts");
