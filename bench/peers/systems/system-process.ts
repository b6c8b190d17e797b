/**
 * The process of one system, so that its memory is its own. What it reports is written to a file.
 *
 *   node --expose-gc bench/peers/systems/system-process.ts load SYSTEM FOLDER REGISTRY.zip REPORT.json
 *   node --expose-gc bench/peers/systems/system-process.ts ask SYSTEM FOLDER QUESTIONS.json REPORT.json
 */

import { readFileSync, writeFileSync } from "node:fs";
import { askClasses, type ClassResult } from "../queries/ask-classes.ts";
import { SYSTEMS } from "./systems.ts";
import type { QuestionClass } from "../queries/question.ts";
import { SYSTEM_NAMES, type System } from "./system.ts";

/** What is written, by the order given. */
export interface Reports {
  load: { seconds: number };
  ask: {
    version: string;
    /** Bytes on disk, and bytes of memory after the whole set. */
    size: number;
    memory: number;
    asked: ClassResult[];
  };
}

const [order, name = "", folder = "", input = "", report = ""] =
  process.argv.slice(2);
const known = SYSTEM_NAMES.find((each) => each === name);
if (known === undefined) throw new Error(`There is no system ${name}.`);
const system = await SYSTEMS[known]();
const done =
  order === "load" ? await load(system) : await ask(system, readQuestions());
writeFileSync(report, JSON.stringify(done));

async function load(from: System): Promise<Reports["load"]> {
  const began = performance.now();
  await from.load(folder, input);
  return { seconds: (performance.now() - began) / 1000 };
}

async function ask(
  from: System,
  classes: readonly QuestionClass[],
): Promise<Reports["ask"]> {
  await using opened = await from.open(folder);
  const asked = await askClasses(opened, classes);
  // So that the garbage of this process is not counted as memory that the system needs.
  globalThis.gc?.({ execution: "sync", flavor: "last-resort" });
  return {
    version: await opened.version(),
    size: await opened.size(),
    memory: opened.memory(),
    asked,
  };
}

function readQuestions(): QuestionClass[] {
  return JSON.parse(readFileSync(input, "utf8"));
}
