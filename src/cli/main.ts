/**
 * Starts the program. The service runs from a build of its sources, which is made first if it is missing or stale: it
 * loads in less than half the time. All else runs from the sources.
 */
import { argv } from "node:process";
import { builtProgram } from "../program-build/built-program.ts";
import { SERVICE_COMMANDS } from "./service-commands.ts";

const [, , word] = argv;
const isService = SERVICE_COMMANDS.some(({ words: [name] }) => name === word);
const url = isService ? await built() : null;
if (url === null) await import("./program.ts");
else await import(url.href);

async function built(): Promise<URL | null> {
  const build = await builtProgram({
    onBuild: () =>
      console.error("Building the program; this takes a few seconds ..."),
    signal: new AbortController().signal,
  });
  if (build.outcome === "built") return build.url;
  console.error(
    `The program could not be built. It runs from its sources, which takes longer to start: ${build.reason}`,
  );
  return null;
}
