/**
 * Starts the program. The service runs from a build of its sources, which is made first if it is missing or stale: it
 * loads in less than half the time. All else runs from the sources.
 */
import process from "node:process";
import { builtProgram } from "../program-build/built-program.ts";
import { SERVICE_COMMANDS } from "./service-commands.ts";

/** Signals that stop the build, with the exit code of a program that they end. */
const STOPPED = { SIGINT: 130, SIGTERM: 143 } as const;
const HELP = ["-h", "--help"];

const [, , word, ...others] = process.argv;
const isService =
  SERVICE_COMMANDS.some(({ words: [name] }) => name === word) &&
  !HELP.some((option) => others.includes(option));
const url = isService ? await built() : null;
if (url === null) await import("./program.ts");
else await import(url.href);

async function built(): Promise<URL | null> {
  const stop = new AbortController();
  let exitCode = 0;
  const receive = (signal: keyof typeof STOPPED): void => {
    exitCode = STOPPED[signal];
    stop.abort();
  };
  process.on("SIGINT", receive);
  process.on("SIGTERM", receive);
  const build = await builtProgram({
    onBuild: () =>
      console.error("Building the program; this takes a few seconds ..."),
    signal: stop.signal,
  });
  if (stop.signal.aborted) process.exit(exitCode);
  process.off("SIGINT", receive);
  process.off("SIGTERM", receive);
  if (build.outcome === "built") return build.url;
  console.error(
    `The program could not be built. It runs from its sources, which takes longer to start: ${build.reason}`,
  );
  return null;
}
