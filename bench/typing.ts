/**
 * How long does it take to read what a user typed, and to suggest what it can become while it is typed, in process?
 * Questions are made of what the registry has: persons, organizations, specialties, cities, and ZIPs of random
 * providers. For suggestions, each question is typed letter by letter. Other texts are made to cost more: up to three
 * letters, many short words, letters in no order, and names of many people that are misspelled. The floor, in the same
 * run: the same texts only read by the rules, without any search.
 *
 * Each text is taken ten times. The first time the data is as cold as in a service, the best time is disturbed least by
 * others on the machine. The slowest texts of each kind are printed with their best times.
 *
 *   node bench/typing.ts [providers | data folder] [questions of each kind]
 */
import { commonTexts } from "../src/search/aliases/common-specialties.ts";
import { Directory } from "../src/search/directory.ts";
import { interpret } from "../src/search/interpret/interpret.ts";
import { Vocabulary } from "../src/search/interpret/vocabulary.ts";
import { STATE_CODES } from "../src/contract/states.ts";
import type { Snapshot } from "../src/snapshot/snapshot.ts";
import { withSnapshot } from "./support/bench-store.ts";
import { printColumns, printRow, timed } from "./support/timed.ts";

const WARM_UP = 30;
const MAX_CHARACTERS = 200;
const SLOWEST = 3;
const LETTERS = Array.from("abcdefghijklmnopqrstuvwxyz");
const [source = "1000000", count = "20"] = process.argv.slice(2);

interface Kind {
  readonly title: string;
  readonly draw: () => string;
}

/** The same numbers in each run, below 1. */
let state = 1;
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}

await withSnapshot(source, (snapshot) => {
  const directory = new Directory(snapshot);
  const vocabulary = new Vocabulary(snapshot);
  const started = performance.now();
  for (const _step of directory.warmUp());
  const began = performance.now();
  directory.suggester.suggest("dr smith cardiologist ch");
  const suggestMs = performance.now() - began;
  directory.interpreter.interpret("dr smith cardiologist chicago");
  const interpretMs = performance.now() - began - suggestMs;
  console.log(
    `${snapshot.count} providers; a thread's preparation ${(began - started).toFixed(1)} ms, the first suggestions after it ${suggestMs.toFixed(1)} ms, ` +
      `the first text read after that ${interpretMs.toFixed(1)} ms`,
  );
  printColumns("", "p50 ms|p99|max|best p50|p99|max|processor|p99".split("|"));
  for (const { draw, title } of kindsOf(snapshot)) {
    for (let i = 0; i < WARM_UP; i++) directory.interpreter.interpret(draw());
    const texts = Array.from({ length: Number(count) }, draw);
    const starts = texts.flatMap(startsOf);
    measure(`${title}, typed`, starts, (text) =>
      directory.suggester.suggest(text),
    );
    measure("  read whole", texts, (text) =>
      directory.interpreter.interpret(text),
    );
    measure("  floor: only the rules", texts, (text) =>
      interpret(text, vocabulary),
    );
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

function kindsOf(snapshot: Snapshot): Kind[] {
  const { cities, firstName, firstNames, lastNames, name, organizations } =
    snapshot;
  const { places } = snapshot;
  const common = commonTexts();
  const doc = (): number => Math.floor(random() * snapshot.count);
  const person = (): { first: string; last: string } =>
    firstOf(() => {
      const at = doc();
      const last = name[at]! > lastNames.count ? 0 : name[at]!;
      return last === 0 || firstName[at] === 0
        ? null
        : {
            first: firstNames.folded(firstName[at]!),
            last: lastNames.folded(last),
          };
    });
  const organization = (): string =>
    firstOf(() => {
      const number = name[doc()]! - lastNames.count;
      return number > 0 ? organizations.folded(number) : null;
    });
  const place = (): { city: string; code: string; zip: string } =>
    firstOf(() => {
      const at = places.placeOf(doc());
      if (at < 0 || places.city[at] === 0 || places.zip[at] === 0) return null;
      return {
        city: cities.folded(places.city[at]!),
        code: STATE_CODES[places.state[at]! - 1] ?? "",
        zip: String(places.zip[at]! - 1).padStart(5, "0"),
      };
    });
  const kinds: Kind[] = [
    {
      title: "a person",
      draw() {
        const { first, last } = person();
        return pick([
          `${first} ${last}`,
          `dr ${first} ${last} md`,
          `${last}, ${first}`,
          `${first} ${pick(LETTERS)} ${last}`,
          `${last} ${place().city}`,
        ]);
      },
    },
    {
      title: "an organization",
      draw() {
        const { city, code } = place();
        return pick([organization(), `${organization()} ${city} ${code}`]);
      },
    },
    {
      title: "a specialty and a place",
      draw() {
        const { city, code, zip } = place();
        return `${pick(common)} ${pick([`in ${city} ${code}`, `near ${city}`, zip, `near ${zip}`, code])}`;
      },
    },
    {
      title: "all of it",
      draw() {
        const { city, code } = place();
        const { first, last } = person();
        return `${first} ${last} ${pick(common)} ${city} ${code}`;
      },
    },
    { title: "up to three letters", draw: () => letters(1, 3) },
    {
      title: "two short words",
      draw: () => `${letters(1, 2)} ${letters(1, 2)}`,
    },
    {
      title: "a first name and letters",
      draw: () => `${person().first} ${letters(1, 2)} ${letters(1, 1)}`,
    },
    {
      title: "many words",
      draw: () =>
        Array.from({ length: 16 }, () =>
          pick([letters(1, 2), person().last, person().first]),
        ).join(" "),
    },
    {
      title: "names of other names, misspelled",
      draw: () => `${person().first}x ${person().last}q ${place().city}z`,
    },
    { title: "letters in no order", draw: () => letters(5, 30) },
  ];
  return kinds.map(({ draw: drawn, title }) => ({
    title,
    draw: () => drawn().toLowerCase().slice(0, MAX_CHARACTERS),
  }));
}

/** The first that isn't null of what `from` draws. */
function firstOf<T>(from: () => T | null): T {
  for (;;) {
    const drawn = from();
    if (drawn !== null) return drawn;
  }
}

/** Between `least` and `most` random letters. */
function letters(least: number, most: number): string {
  const length = least + Math.floor(random() * (most - least + 1));
  return Array.from({ length }, () => pick(LETTERS)).join("");
}

/** What the box has held while a text was typed. */
function startsOf(text: string): string[] {
  return Array.from(text, (_letter, index) => text.slice(0, index + 1));
}

function pick<T>(all: readonly T[]): T {
  return all[Math.floor(random() * all.length)]!;
}
