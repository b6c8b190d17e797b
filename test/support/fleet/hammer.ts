/** Requests with one key to nodes in turn, as fast as they are answered. */

import { failureIn } from "./failure.ts";
import type { FleetNode } from "./three-nodes.ts";

const PATH = "/v1/providers/search?limit=1";
const AT_A_TIME = 12;
const OK = "200";
const WITHIN_MS = 120_000;

/** How often each answer came, by status and code of the error. */
export class Answers {
  readonly counts: Record<string, number> = {};
  /** How many refusals came since the last answer from the data, and since the hammering began. */
  refusedInARow = 0;

  /** Answers from the data. */
  get given(): number {
    return this.counts[OK] ?? 0;
  }

  note(name: string): void {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    this.refusedInARow = name === OK ? 0 : this.refusedInARow + 1;
  }
}

/** Sends to nodes in turn until `isOver`, which is asked before each request, and counts what is answered. */
export async function hammer(
  nodes: readonly FleetNode[],
  key: string,
  answers: Answers,
  isOver: () => boolean,
): Promise<void> {
  const limit = performance.now() + WITHIN_MS;
  let turn = 0;
  answers.refusedInARow = 0;
  const sendAll = async () => {
    while (!isOver()) {
      if (performance.now() > limit)
        throw new Error(`Not over: ${JSON.stringify(answers.counts)}`);
      const node = nodes[turn++ % nodes.length];
      if (node !== undefined) await askOnce(node, key, answers);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, sendAll));
}

/** Sends one request, and counts its answer. */
export async function askOnce(
  { address }: FleetNode,
  key: string,
  answers: Answers,
): Promise<void> {
  const answer = await fetch(`http://${address}${PATH}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const body = await answer.text();
  const [name = ""] = failureIn(answer.status, body).split(":");
  answers.note(answer.status === 200 ? OK : name);
}
