/** `npm run build`: builds the portal ahead of the first start. */
import { builtPortal } from "./built-portal.ts";

const built = await builtPortal({
  onBuild: () => console.log("Building the portal ..."),
  signal: new AbortController().signal,
});
if (built.outcome === "built") console.log(`The portal is in ${built.folder}.`);
else {
  console.error(built.message);
  process.exitCode = 1;
}
