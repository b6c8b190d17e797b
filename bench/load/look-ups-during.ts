import { median } from "../support/median.ts";
import { fire, type Order } from "./cannon.ts";

const CONNECTIONS = [1, 8, 64];
const ROUND_SECONDS = 3;

/**
 * Prints how much other work delays look-ups: `order` sends them with and without the work in turns, over each number
 * of connections. `work` is named in the output, and `begin` starts it for some seconds.
 */
export async function lookUpsDuring(
  order: Omit<Order, "connections" | "seconds">,
  rounds: number,
  work: string,
  begin: (seconds: number) => Promise<unknown>,
): Promise<void> {
  for (const connections of CONNECTIONS) {
    const lookUps = { ...order, connections, seconds: ROUND_SECONDS };
    const without: number[] = [];
    const during: number[] = [];
    for (let round = 0; round < rounds; round++) {
      without.push(await p99Of(lookUps));
      const working = begin(ROUND_SECONDS + 1);
      during.push(await p99Of(lookUps));
      await working;
    }
    const [a, b] = [median(without), median(during)];
    console.log(
      `look-ups over ${connections} connections: p99 ${a.toFixed(2)} ms, ${work} ${b.toFixed(2)} ms: ${(b / a).toFixed(2)} ×`,
    );
  }
}

/** The 99th percentile of look-ups in milliseconds. Throws if an answer is missing or wrong. */
export async function p99Of(order: Order): Promise<number> {
  const { faults, latencies } = await fire(order);
  const [fault] = faults;
  if (fault !== undefined) throw new Error(fault);
  return latencies["look-up"]?.p99 ?? Number.NaN;
}
