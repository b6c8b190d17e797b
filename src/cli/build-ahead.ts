/** `npm run build`: builds the portal and the program ahead of the first start. */
import { builtPortal } from "../portal-build/built-portal.ts";
import { builtProgram } from "../program-build/built-program.ts";

const { signal } = new AbortController();

const portal = await builtPortal({
  onBuild: () => console.log("Building the portal ..."),
  signal,
});
if (portal.outcome === "built")
  console.log(`The portal is in ${portal.folder}.`);
else fail(portal.message);
const program = await builtProgram({
  onBuild: () => console.log("Building the program ..."),
  signal,
});
if (program.outcome === "failed")
  fail(`The program could not be built: ${program.reason}`);
else if (program.url === null)
  fail("The program is not built: dist/program can't be written.");
else console.log(`The program is in ${program.url.pathname}.`);

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
