import type { Shot } from "./cannon.ts";
import type { Question } from "./questions.ts";

/** A request with the answer it got on an idle server. */
export interface AnsweredQuestion extends Shot {
  /** How many entries the answer has; null for a look-up. */
  readonly entries: number | null;
}

/**
 * Asks each question once. Questions that the service refuses as asked wrongly are left out: some values of the
 * registry are those of foreign addresses.
 */
export async function expectAnswers(
  url: string,
  key: string,
  questions: readonly Question[],
): Promise<AnsweredQuestion[]> {
  const answered: AnsweredQuestion[] = [];
  for (const question of questions) {
    const response = await ask(url, key, question);
    const expected = await response.text();
    if (response.status === 400) continue;
    if (response.status !== 200)
      throw new Error(`${question.path}: ${response.status} ${expected}`);
    const { meta } = JSON.parse(expected);
    answered.push({ ...question, expected, entries: meta.count ?? null });
  }
  return answered;
}

/**
 * The headers of the answer to a question, name and value in turn, but for those of its body's length and of the
 * connection.
 */
export async function headersOfAnswer(
  url: string,
  key: string,
  question: Pick<Question, "path">,
): Promise<string[]> {
  const response = await ask(url, key, question);
  await response.text();
  return [...response.headers].filter(([name]) => !OF_NODE.has(name)).flat();
}

const OF_NODE: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
]);

function ask(
  url: string,
  key: string,
  { path }: Pick<Question, "path">,
): Promise<Response> {
  return fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${key}`, "accept-encoding": "identity" },
  });
}
