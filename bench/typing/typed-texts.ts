/** Texts as users type them, and some that are made to cost more, of what a snapshot has. */

import { STATE_CODES } from "../../src/contract/states.ts";
import { commonTexts } from "../../src/search/aliases/common-specialties.ts";
import type { Snapshot } from "../../src/snapshot/snapshot.ts";

const MAX_CHARACTERS = 200;
const LETTERS = Array.from("abcdefghijklmnopqrstuvwxyz");

export interface Kind {
  readonly title: string;
  readonly draw: () => string;
}

/** The same numbers in each run, below 1. */
let state = 1;
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}

export function typedKinds(snapshot: Snapshot): Kind[] {
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
export function startsOf(text: string): string[] {
  return Array.from(text, (_letter, index) => text.slice(0, index + 1));
}

function pick<T>(all: readonly T[]): T {
  return all[Math.floor(random() * all.length)]!;
}
