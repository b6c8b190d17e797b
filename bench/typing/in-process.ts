/**
 * How long does it take to read what a user typed, and to suggest what it can become while it is typed, in process?
 * Questions are made of what the registry has: persons, organizations, specialties, cities, and ZIPs of random
 * providers. For suggestions, each question is typed letter by letter. Other texts are made to cost more: up to three
 * letters, many short words, letters in no order, and names of many people that are misspelled. The floor, in the same
 * run: the same texts only read, without any search.
 *
 * Each text is taken ten times. The first time the data is as cold as in a service, the best time is disturbed least by
 * others on the machine. The slowest texts of each kind are printed with their best times.
 *
 *   node_modules/.bin/node bench/typing/in-process.ts [providers | data folder] [questions of each kind]
 */
import { Directory } from "../../src/search/directory.ts";
import { readingsOf } from "../../src/search/interpret/reading.ts";
import { withSnapshot } from "../support/bench-store.ts";
import { printColumns, printRow, timed } from "../support/timed.ts";
import { startsOf, typedKinds } from "./typed-texts.ts";

const WARM_UP = 30;
const SLOWEST = 3;
const [source = "1000000", count = "20"] = process.argv.slice(2);

await withSnapshot(source, (snapshot) => {
  const directory = new Directory(snapshot);
  const { vocabulary } = directory.explore;
  const started = performance.now();
  for (const _step of directory.explore.warmUp());
  const began = performance.now();
  directory.explore.suggester.suggest("dr smith cardiologist ch");
  const suggestMs = performance.now() - began;
  directory.explore.interpreter.interpret("dr smith cardiologist chicago");
  const interpretMs = performance.now() - began - suggestMs;
  console.log(
    `${snapshot.count} providers; a thread's preparation ${(began - started).toFixed(1)} ms, the first suggestions after it ${suggestMs.toFixed(1)} ms, ` +
      `the first text read after that ${interpretMs.toFixed(1)} ms`,
  );
  printColumns("", "p50 ms|p99|max|best p50|p99|max|processor|p99".split("|"));
  for (const { draw, title } of typedKinds(snapshot)) {
    for (let i = 0; i < WARM_UP; i++)
      directory.explore.interpreter.interpret(draw());
    const texts = Array.from({ length: Number(count) }, draw);
    const starts = texts.flatMap(startsOf);
    measure(`${title}, typed`, starts, (text) =>
      directory.explore.suggester.suggest(text),
    );
    measure("  read whole", texts, (text) =>
      directory.explore.interpreter.interpret(text),
    );
    measure("  floor: only the readings", texts, (text) => [
      ...readingsOf(text, vocabulary),
    ]);
  }
});

/** Prints the times of some texts, and the slowest ones. */
function measure(
  title: string,
  texts: readonly string[],
  work: (text: string) => unknown,
): void {
  const slow: { readonly text: string; readonly ms: number }[] = [];
  const times = timed(texts, work, (text, ms) => {
    slow.push({ text, ms });
  });
  printRow(title, times, []);
  const slowest = slow.sort((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  if (!title.includes("floor"))
    console.log(
      slowest
        .map(
          ({ ms, text }) =>
            `    ${ms.toFixed(1)} ms: ${JSON.stringify(text.slice(0, 80))}`,
        )
        .join("\n"),
    );
}
