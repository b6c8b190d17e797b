/**
 * Sends requests one after the other over one connection, which is Node's own choice. Returns the milliseconds until
 * each answer was read, ascending. Throws if an answer isn't a success.
 */
export async function waitsFor(
  urls: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<number[]> {
  const waits: number[] = [];
  for (const url of urls) {
    const began = performance.now();
    const answer = await fetch(url, { headers });
    await answer.text();
    waits.push(performance.now() - began);
    if (!answer.ok) throw new Error(`${answer.status} for ${url}`);
  }
  return waits.sort((a, b) => a - b);
}

/** Prints waits, ascending, as a row. */
export function printWaits(title: string, waits: readonly number[]): void {
  const at = (share: number): string =>
    (waits[Math.floor((waits.length - 1) * share)] ?? 0).toFixed(1);
  console.log(
    `${title.padEnd(34)} ${String(waits.length).padStart(6)} requests   p50 ${at(0.5)} ms   p99 ${at(0.99)} ms   longest ${at(1)} ms`,
  );
}
