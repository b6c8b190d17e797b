/** Times of work in process, and their table. */

const TIMES = 10;

interface Times {
  /** Milliseconds of the first time and of the best one. Each list is ascending. */
  readonly first: readonly number[];
  readonly best: readonly number[];
  /** Milliseconds of processor time, the mean of all times. */
  readonly processor: readonly number[];
}

/** Does each piece of work ten times. `note` gets its best time, in milliseconds. */
export function timed<T>(
  work: readonly T[],
  run: (each: T, time: number) => void,
  note: (each: T, bestMs: number) => void = () => undefined,
): Times {
  const first: number[] = [];
  const best: number[] = [];
  const processor: number[] = [];
  for (const each of work) {
    const before = process.threadCpuUsage();
    const times = Array.from({ length: TIMES }, (_, time) => {
      const began = performance.now();
      run(each, time);
      return performance.now() - began;
    });
    const { system, user } = process.threadCpuUsage();
    processor.push((system + user - before.system - before.user) / 1e3 / TIMES);
    first.push(times[0]!);
    const bestMs = Math.min(...times);
    best.push(bestMs);
    note(each, bestMs);
  }
  return {
    first: first.sort(ascending),
    best: best.sort(ascending),
    processor: processor.sort(ascending),
  };
}

/** Prints a row: of the first time, the best one, and the processor time. */
export function printRow(
  title: string,
  { best, first, processor }: Times,
  more: readonly string[],
): void {
  printColumns(title, [
    at(first, 0.5),
    at(first, 0.99),
    at(first, 1),
    at(best, 0.5),
    at(best, 0.99),
    at(best, 1),
    mean(processor).toFixed(2),
    at(processor, 0.99),
    ...more,
  ]);
}

function ascending(a: number, b: number): number {
  return a - b;
}

/** Of ascending numbers, the one at a share of them. */
function at(numbers: readonly number[], share: number): string {
  return (numbers[Math.floor((numbers.length - 1) * share)] ?? 0).toFixed(2);
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

export function printColumns(title: string, columns: readonly string[]): void {
  console.log(
    title.padEnd(40) + columns.map((each) => each.padStart(10)).join(""),
  );
}
