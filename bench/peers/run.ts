/**
 * How do PostgreSQL, SQLite and DuckDB answer the same questions over the same rows? Invents a registry, loads it into
 * each system and into ours, asks all of them the same questions, compares the answers, and writes bench/RESULTS.md.
 *
 *   node_modules/.bin/node bench/peers/run.ts [providers]
 *
 * A million providers, the default, take some three minutes; 9800000, as many as the registry has, half an hour or
 * more, and some 30 GB of temporary files.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { writeSyntheticRegistry } from "../../src/registry-generator/write-registry.ts";
import { firstDifference } from "./compare.ts";
import { openSnapshot } from "./ours.ts";
import { questionClasses } from "./queries/question-classes.ts";
import { withResults, type Results } from "./results-page.ts";
import { readRows } from "./rows.ts";
import type { Reports } from "./systems/system-process.ts";
import { SYSTEM_NAMES, type SystemName } from "./systems/system.ts";

const RESULTS = join(import.meta.dirname, "..", "RESULTS.md");
const providers = Number(process.argv[2] ?? 1_000_000);
if (!Number.isSafeInteger(providers) || providers < 1) {
  console.error(
    "Give the number of providers: node_modules/.bin/node bench/peers/run.ts 1000000",
  );
  process.exit(2);
}

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => stop.abort(new Error("Stopped.")));

const folder = await mkdtemp(join(tmpdir(), "peers-bench-"));
try {
  // PostgreSQL's server may run as another user, who has to get to its folder in here.
  await chmod(folder, 0o755);
  const results = await run(folder);
  const page = existsSync(RESULTS) ? readFileSync(RESULTS, "utf8") : null;
  await writeFile(
    RESULTS,
    await format(withResults(page, results), {
      ...(await resolveConfig(RESULTS)),
      filepath: RESULTS,
    }),
  );
  console.log(`${RESULTS} is written.`);
} finally {
  await rm(folder, { recursive: true });
}

async function run(work: string): Promise<Results> {
  const zip = join(work, "registry.zip");
  await writeSyntheticRegistry({ providers, out: zip, signal: stop.signal });
  tell("registry invented");
  const began = performance.now();
  await readRows(zip, () => {});
  const readSeconds = (performance.now() - began) / 1000;

  const loads = new Map<string, Reports["load"]>();
  for (const name of SYSTEM_NAMES) {
    await mkdir(join(work, name));
    loads.set(name, await runSystem("load", name, zip));
    tell(`${name} loaded`);
  }
  await rm(zip);

  const classes = questionClasses(openSnapshot(join(work, "ours")));
  const questions = join(work, "questions.json");
  await writeFile(questions, JSON.stringify(classes));
  const answers = new Map<string, Reports["ask"]>();
  for (const name of SYSTEM_NAMES) {
    answers.set(name, await runSystem("ask", name, questions));
    tell(`${name} asked`);
  }
  const difference = firstDifference(
    classes,
    Array.from(answers, ([name, { asked }]) => ({ name, asked })),
  );
  if (difference !== null)
    throw new Error(`The systems answer differently.\n${difference}`);
  return {
    providers,
    date: new Date(),
    machine: describeMachine(),
    readSeconds,
    systems: Array.from(answers, ([name, report]) => ({
      name: name === "ours" ? name : report.version,
      loadSeconds: loads.get(name)?.seconds ?? 0,
      bytesOnDisk: report.size,
      bytesOfMemory: report.memory,
      times: report.asked.map(({ times }) => times),
    })),
    classes: classes.map((each) => ({
      title: each.title,
      questions: each.questions.length,
    })),
  };
}

/** Runs a system in a separate process and returns what it reports. */
async function runSystem<Order extends "load" | "ask">(
  order: Order,
  name: SystemName,
  input: string,
): Promise<Reports[Order]> {
  const report = join(folder, `${order}.json`);
  const program = join(import.meta.dirname, "systems", "system-process.ts");
  const child = spawn(
    process.execPath,
    ["--expose-gc", program, order, name, join(folder, name), input, report],
    { stdio: "inherit" },
  );
  // PostgreSQL's server ends with the process that started it.
  const end = () => child.kill();
  stop.signal.addEventListener("abort", end);
  const [code] = await once(child, "close");
  stop.signal.removeEventListener("abort", end);
  stop.signal.throwIfAborted();
  if (code !== 0) throw new Error(`${name} failed: see above.`);
  return JSON.parse(readFileSync(report, "utf8"));
}

function describeMachine(): string {
  const system = /^PRETTY_NAME="(.*)"$/m.exec(
    readFileSync("/etc/os-release", "utf8"),
  )?.[1];
  return [
    cpus()[0]?.model ?? "unknown processor",
    `${availableParallelism()} cores`,
    `${(totalmem() / 2 ** 30).toFixed(0)} GB of memory`,
    `${system} (Linux ${release()})`,
    `Node ${process.versions.node}`,
  ].join(", ");
}

function tell(what: string): void {
  console.log(
    `${(performance.now() / 1000).toFixed(0).padStart(5)} s  ${what}`,
  );
}
