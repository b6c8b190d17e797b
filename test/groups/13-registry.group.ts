/** The tests of the registry's files, and of small folders, in one process. */

import { runTogether } from "../support/run-together.ts";

await runTogether(
  "{bench,build,csv,deploy,files,reference,registry,registry-generator,site,support,text,threads}/**/*.test.ts",
);
