import type { Answer, QuestionClass } from "./question.ts";
import { TIME_LIMIT_MS, type OpenSystem } from "../systems/system.ts";

/** What one system did with one class of questions: as many of them as its share of time allowed, from the first on. */
export interface ClassResult {
  title: string;
  /** Milliseconds, a number per question. */
  times: number[];
  /** Null for a question that ran into the limit of time. */
  answers: (Answer | null)[];
}

/** A system gets this long for a class, unless it has not answered a few by then. */
const CLASS_MS = 2000;
const FEWEST = 5;
/** Warm-up questions go round until there were enough of them. */
const WARM_UP_TURNS = 300;
const WARM_UP_MS = 500;

/** Asks a system all classes, one question at a time. */
export async function askClasses(
  system: OpenSystem,
  classes: readonly QuestionClass[],
): Promise<ClassResult[]> {
  const asked: ClassResult[] = [];
  for (const each of classes) {
    await warmUp(system, each);
    asked.push(await askClass(system, each));
  }
  return asked;
}

async function warmUp(
  system: OpenSystem,
  { warmUp: questions }: QuestionClass,
): Promise<void> {
  const end = performance.now() + WARM_UP_MS;
  for (let turn = 0; turn < WARM_UP_TURNS && performance.now() < end; turn++) {
    const question = questions[turn % questions.length];
    if (question !== undefined) await system.ask(question);
  }
}

async function askClass(
  system: OpenSystem,
  { title, questions }: QuestionClass,
): Promise<ClassResult> {
  const asked: ClassResult = { title, times: [], answers: [] };
  const end = performance.now() + CLASS_MS;
  for (const question of questions) {
    if (asked.times.length >= FEWEST && performance.now() > end) break;
    const began = performance.now();
    const answer = await system.ask(question);
    const taken = performance.now() - began;
    asked.times.push(answer === null ? Math.max(taken, TIME_LIMIT_MS) : taken);
    asked.answers.push(answer);
  }
  return asked;
}
