/** The tests of `portal/explorer`, in one process. */

import { runTogether } from "../support/run-together.ts";

await runTogether(["portal/explorer/*.test.ts"], {
  onlyInFull: [
    "portal/explorer/{download,explorer-states,history,map,map-gestures,map-tiles,sort,why-found}.test.ts",
  ],
});
