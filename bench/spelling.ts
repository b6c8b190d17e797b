/**
 * How long does it take to suggest words for a misspelled one, in process? Words are typed with one or two random
 * edits: names and cities of providers drawn from the whole registry, words drawn from the dictionaries, and words that
 * may cost more than those: five letters, thirty, random letters, letters repeated. Prints the times of each kind, and
 * for names and cities how often the word that was meant is among the suggestions, and how often it is the first. The
 * floor, in the same run: a bare loop over the bytes of the dictionaries.
 *
 * Each word is typed ten times. The first time the data is as cold as in a service, the best time is disturbed least
 * by others on the machine. The processor time of this thread is that of all ten, divided, because systems count it in
 * steps that may be longer than a suggestion takes.
 *
 *   node_modules/.bin/node bench/spelling.ts [providers | data folder] [words of each kind]
 */
import { Spelling } from "../src/search/spelling/spelling.ts";
import type { Dictionary } from "../src/snapshot/dictionary/dictionary.ts";
import type { Snapshot } from "../src/snapshot/snapshot.ts";
import { words } from "../src/text/fold.ts";
import { withSnapshot } from "./support/bench-store.ts";
import { printColumns, printRow, timed } from "./support/timed.ts";

const WARM_UP = 50;
const LETTERS = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
const [source = "1000000", count = "2000"] = process.argv.slice(2);

/** A word as it was meant, null for none, and as it was typed. */
interface Misspelling {
  readonly meant: string | null;
  readonly typed: string;
}

interface Kind {
  readonly title: string;
  readonly suggest: (typed: string) => readonly { readonly word: string }[];
  readonly draw: () => Misspelling;
}

/** The same numbers in each run, below 1. */
let state = 1;
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}

await withSnapshot(source, (snapshot) => {
  const began = performance.now();
  const spelling = new Spelling(snapshot);
  const first = spelling.names("SMIHT");
  const firstMs = performance.now() - began;
  const { cities, firstNames, lastNames, organizationWords } = snapshot;
  const names = [lastNames, firstNames, organizationWords];
  console.log(
    `${snapshot.count} providers; ${names.map((each) => each.count).join(", ")} spellings of last and first names ` +
      `and words, ${cities.count} of cities; the first word, with nothing compiled, ${firstMs.toFixed(1)} ms ` +
      `(${first.map(({ word }) => word).join(", ")})`,
  );
  printColumns(
    "",
    "p50 ms|p99|max|best p50|p99|max|processor|p99|found|as first".split("|"),
  );
  printFloor("floor: a loop over the names' bytes", names);
  printFloor("floor: a loop over the cities' bytes", [cities]);
  for (const kind of kindsOf(snapshot, spelling)) measure(kind);
});

function kindsOf(snapshot: Snapshot, spelling: Spelling): Kind[] {
  const { cities, firstName, firstNames, lastNames, name, organizations } =
    snapshot;
  const allNames = [lastNames, firstNames, snapshot.organizationWords];
  const suggestNames = (typed: string) => spelling.names(typed);
  const suggestCities = (typed: string) => spelling.cities(typed, null);
  const doc = (): number => Math.floor(random() * snapshot.count);
  const nameOf = (number: number): string =>
    number > lastNames.count
      ? pick(words(organizations.folded(number - lastNames.count)))
      : lastNames.folded(number);
  const ofName = (title: string, draw: () => Misspelling): Kind => ({
    title,
    suggest: suggestNames,
    draw,
  });
  return [
    ofName("a provider's last name or a word", () =>
      misspelled(() => nameOf(name[doc()]!)),
    ),
    ofName("a provider's first name", () =>
      misspelled(() => {
        const number = firstName[doc()]!;
        return number === 0 ? "" : firstNames.folded(number);
      }),
    ),
    ofName("any entry of the dictionaries", () =>
      misspelled(() => anyEntry(pick(allNames))),
    ),
    ofName("five letters of an entry", () => ({
      meant: null,
      typed: edited(drawLong(allNames, 5).slice(0, 5)),
    })),
    ofName("an entry and more, thirty characters", () => ({
      meant: null,
      typed:
        `${anyEntry(lastNames)} ${anyEntry(lastNames)} ${anyEntry(lastNames)}`
          .padEnd(30, "A")
          .slice(0, 30),
    })),
    ofName("random letters, 5 to 30", () => ({
      meant: null,
      typed: Array.from({ length: 5 + Math.floor(random() * 26) }, () =>
        pick(LETTERS),
      ).join(""),
    })),
    ofName("one or two letters repeated, 5 to 30", () => {
      const pair = pick(LETTERS) + pick(LETTERS);
      return {
        meant: null,
        typed: pair.repeat(15).slice(0, 5 + Math.floor(random() * 26)),
      };
    }),
    {
      title: "a provider's city",
      suggest: suggestCities,
      draw: () =>
        misspelled(() => {
          const place = snapshot.places.placeOf(doc());
          const city = place < 0 ? 0 : snapshot.places.city[place]!;
          return city === 0 ? "" : cities.folded(city);
        }),
    },
    {
      title: "any city",
      suggest: suggestCities,
      draw: () => misspelled(() => anyEntry(cities)),
    },
  ];
}

/** Prints the times of one kind. */
function measure({ draw, suggest, title }: Kind): void {
  for (let i = 0; i < WARM_UP; i++) suggest(draw().typed);
  const drawn = Array.from({ length: Number(count) }, draw);
  let found = 0;
  let isFirst = 0;
  const times = timed(drawn, ({ meant, typed }, time) => {
    const suggestions = suggest(typed);
    if (time > 0) return;
    if (suggestions.some(({ word }) => word === meant)) found++;
    if (suggestions[0]?.word === meant) isFirst++;
  });
  const hasMeant = drawn.some(({ meant }) => meant !== null);
  const share = (part: number): string =>
    `${((100 * part) / drawn.length).toFixed(0)} %`;
  printRow(title, times, hasMeant ? [share(found), share(isFirst)] : []);
}

function printFloor(title: string, dictionaries: readonly Dictionary[]): void {
  let sum = 0;
  const times = timed(Array.from({ length: 3 }), () => {
    for (const { bytes } of dictionaries)
      for (let i = 0; i < bytes.length; i++) sum = (sum + bytes[i]!) | 0;
  });
  // The sum is used, so the loop can't be left out.
  printRow(title, times, sum === 0 ? ["no bytes"] : []);
}

/** A word that `draw` draws, typed with one or two edits. */
function misspelled(draw: () => string): Misspelling {
  for (;;) {
    const meant = draw();
    if (meant.length < 5 || meant.length > 28) continue;
    const once = edited(meant);
    const typed = random() < 0.5 ? once : edited(once);
    if (typed !== meant) return { meant, typed };
  }
}

/** The word with one random insertion, deletion, substitution, or swap of neighbors. */
function edited(word: string): string {
  const cut = Math.floor(random() * word.length);
  const [head, tail] = [word.slice(0, cut), word.slice(cut)];
  switch (Math.floor(random() * 4)) {
    case 0:
      return head + pick(LETTERS) + tail;
    case 1:
      return head + tail.slice(1);
    case 2:
      return head + pick(LETTERS) + tail.slice(1);
    default:
      return head + tail.slice(1, 2) + tail.slice(0, 1) + tail.slice(2);
  }
}

function drawLong(dictionaries: readonly Dictionary[], least: number): string {
  for (;;) {
    const word = anyEntry(pick(dictionaries));
    if (word.length >= least) return word;
  }
}

function anyEntry(dictionary: Dictionary): string {
  return dictionary.folded(1 + Math.floor(random() * dictionary.count));
}

function pick<T>(all: readonly T[]): T {
  return all[Math.floor(random() * all.length)]!;
}
