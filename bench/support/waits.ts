import { Agent, get } from "node:http";
import { text } from "node:stream/consumers";

/**
 * Sends requests one after the other over one connection. Returns the milliseconds until each answer was read,
 * ascending. Throws if an answer isn't a success. Node's `fetch` takes longer itself, and asks for compressed answers:
 * it adds half a millisecond to the median of slow searches, and two to three to their p99.
 */
export async function waitsFor(
  urls: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<number[]> {
  using owned = new DisposableStack();
  const agent = owned.adopt(
    new Agent({ keepAlive: true, maxSockets: 1 }),
    (each) => each.destroy(),
  );
  const waits: number[] = [];
  for (const url of urls) {
    const began = performance.now();
    const status = await statusOf(url, headers, agent);
    waits.push(performance.now() - began);
    if (status !== 200) throw new Error(`${status} for ${url}`);
  }
  return waits.sort((a, b) => a - b);
}

/** Reads an answer to its end. */
function statusOf(
  url: string,
  headers: Readonly<Record<string, string>>,
  agent: Agent,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers }, (answer) => {
      text(answer).then(() => resolve(answer.statusCode), reject);
    }).on("error", reject);
  });
}

/** Prints waits, ascending, as a row. */
export function printWaits(title: string, waits: readonly number[]): void {
  const at = (share: number): string =>
    (waits[Math.floor((waits.length - 1) * share)] ?? 0).toFixed(1);
  console.log(
    `${title.padEnd(34)} ${String(waits.length).padStart(6)} requests   p50 ${at(0.5)} ms   p99 ${at(0.99)} ms   longest ${at(1)} ms`,
  );
}
