import type { ClassResult } from "./queries/ask-classes.ts";
import type { Answer, QuestionClass } from "./queries/question.ts";

/** What a system answered, class by class. */
export interface SystemAnswers {
  name: string;
  asked: readonly ClassResult[];
}

/**
 * The first question that two systems answer differently, in words, or null where all agree: on the total, and on the
 * providers of the page in their order. Questions that a system was not asked, or ran out of time for, are left out.
 */
export function firstDifference(
  classes: readonly QuestionClass[],
  [ours, ...peers]: readonly SystemAnswers[],
): string | null {
  if (ours === undefined) return null;
  for (const { name, asked } of peers) {
    for (const [at, { title, questions }] of classes.entries()) {
      for (const [index, answer] of (asked[at]?.answers ?? []).entries()) {
        const expected = ours.asked[at]?.answers[index] ?? null;
        if (answer === null || expected === null) continue;
        if (isSame(answer, expected)) continue;
        return [
          `${title}: ${JSON.stringify(questions[index])}`,
          `${ours.name}: ${JSON.stringify(expected)}`,
          `${name}: ${JSON.stringify(answer)}`,
        ].join("\n");
      }
    }
  }
  return null;
}

function isSame(a: Answer, b: Answer): boolean {
  return (
    a.total === b.total &&
    a.npis.length === b.npis.length &&
    a.npis.every((npi, index) => npi === b.npis[index])
  );
}
