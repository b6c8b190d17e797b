/**
 * How well texts are read that are made of what the registry has: every city, every specialty, random people and
 * organizations in the forms that people type, and misspelled names. In the full run with the registry's own weeks,
 * otherwise with a sample of invented providers. Each form has a bar; failures are printed.
 */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { suite, test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import type {
  InterpretedFilters,
  Interpretation,
} from "../../../src/contract/interpret.ts";
import type { Provider } from "../../../src/contract/provider.ts";
import { STATE_CODES } from "../../../src/contract/states.ts";
import { builtinTaxonomy } from "../../../src/reference/builtin-specialties.ts";
import { readTaxonomyFile } from "../../../src/reference/taxonomy-table.ts";
import { loadCentroids } from "../../../src/reference/centroids.ts";
import { commonCodesOf } from "../../../src/search/aliases/common-specialties.ts";
import { cityKey, fold } from "../../../src/text/fold.ts";
import { IS_FULL } from "../../support/pure/full-run.ts";
import { SmallRegistry } from "../../support/pure/registry/small-registry.ts";
import { writeRegistryFile } from "../../support/pure/registry/synthetic-file.ts";
import type { ParsedDirectory } from "../../support/pure/engine/parsed-directory.ts";

const DATA = new URL("../../../../shared/data/", import.meta.url);
const WEEKS = ["010124_010724", "010824_011424", "011524_012124"].map((days) =>
  shared(`registry/NPPES_Data_Dissemination_${days}_Weekly.zip`),
);
const NUCC_FILE = shared("taxonomy/nucc_taxonomy_251.csv");
const IS_REAL =
  IS_FULL && [...WEEKS, NUCC_FILE].every((path) => existsSync(path));
const INVENTED = 4_000;
/** How many of each form are tried. */
const TRIED = IS_REAL
  ? { places: Infinity, people: 5_000, organizations: 2_000, misspelled: 1_000 }
  : { places: 150, people: 150, organizations: 100, misspelled: 60 };
/** Offers that users see first, and those that they see at all. */
const FIRST_OFFERS = 3;
const ALL_OFFERS = 5;
const LEGAL_FORM = /[ ,]+(?:LLC|INC|PLLC|CORP|LLP)\.?$/i;
const PRINTED = 8;

/** An answer, or one of its alternatives. */
type Offer = Pick<Interpretation, "filters" | "operation">;
type IsRight = (offer: Offer) => boolean;

interface Place {
  readonly city: string;
  readonly state: string;
}

function shared(path: string): string {
  return fileURLToPath(new URL(path, DATA));
}

/** What was tried of a form. */
class Tally {
  readonly #directory: ParsedDirectory;
  readonly #shown: number;
  readonly #failures: string[] = [];
  #tried = 0;
  #read = 0;
  #offered = 0;

  constructor(directory: ParsedDirectory, shown = FIRST_OFFERS) {
    this.#directory = directory;
    this.#shown = shown;
  }

  try(typed: string, isRight: IsRight): void {
    const answer = this.#directory.explore.interpreter.interpret(typed);
    const isRead = isRight(answer);
    const offers = answer.alternatives.slice(0, this.#shown);
    this.#tried++;
    if (isRead) this.#read++;
    if (isRead || offers.some(isRight)) this.#offered++;
    else
      this.#failures.push(
        `${typed}: ${JSON.stringify([answer.operation, answer.filters])}`,
      );
  }

  /** Prints the shares and some failures, and holds the shares to their bars. */
  end(t: TestContext, bars: { read?: number; offered: number }): void {
    const read = this.#read / this.#tried;
    const offered = this.#offered / this.#tried;
    t.diagnostic(
      `${this.#tried} tried: ${percent(read)} read, ${percent(offered)} with offers`,
    );
    for (const each of this.#failures.slice(0, PRINTED)) t.diagnostic(each);
    assert.ok(this.#tried > 0);
    assert.ok(read >= (bars.read ?? 0), `${percent(read)} are read`);
    assert.ok(offered >= bars.offered, `${percent(offered)} are offered`);
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}

/** Numbers that look random, the same in each run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function registryOf(registry: SmallRegistry): Promise<ParsedDirectory> {
  if (IS_REAL) {
    const taxonomy = { table: readTaxonomyFile(NUCC_FILE), source: "NUCC's" };
    for (const path of WEEKS) await registry.importPath(path, { taxonomy });
  } else {
    const path = writeRegistryFile(registry.folder, {
      providers: INVENTED,
      seed: 41,
    });
    await registry.importPath(path, {
      taxonomy: { table: builtinTaxonomy(), source: "a test" },
      centroids: loadCentroids,
    });
  }
  return registry.directory();
}

/** The cities with at least two providers, each in its state. */
function placesOf({ cities, places }: ReturnType<SmallRegistry["snapshot"]>) {
  const found = new Map<string, Place & { providers: number }>();
  for (let place = 0; place < places.count; place++) {
    const state = STATE_CODES[places.state[place]! - 1];
    const city = cities.spelling(places.city[place]!);
    if (state === undefined || city === null) continue;
    const key = `${cityKey(city)} ${state}`;
    const known = found.get(key) ?? { city, state, providers: 0 };
    known.providers += places.starts[place + 1]! - places.starts[place]!;
    found.set(key, known);
  }
  return [...found.values()].filter(({ providers }) => providers >= 2);
}

function isIn({ city, state }: Place): IsRight {
  return ({ filters }) =>
    filters.state === state &&
    cityKey(filters.city ?? "") === cityKey(city) &&
    !isNamed(filters);
}

function isNamed(filters: InterpretedFilters): boolean {
  return (
    (filters.name ?? filters.last_name ?? filters.organization) !== undefined
  );
}

function isSpecialty(text: string): IsRight {
  return ({ filters }) =>
    fold(filters.specialty ?? "") === fold(text) && !isNamed(filters);
}

function both(one: IsRight, other: IsRight): IsRight {
  return (offer) => one(offer) && other(offer);
}

/** Every n-th of a list, about as many as wanted. */
function some<T>(list: readonly T[], wanted: number): T[] {
  const step = Math.max(1, Math.floor(list.length / wanted));
  return list.filter((_, index) => index % step === 0);
}

/** A word with one letter replaced, left out, added, or swapped with the next. */
function misspelled(word: string, random: () => number): string {
  const at = Math.floor(random() * word.length);
  const letter = String.fromCharCode(97 + Math.floor(random() * 26));
  const [before, rest] = [word.slice(0, at), word.slice(at)];
  const how = Math.floor(random() * 4);
  if (how === 0) return before + letter + rest.slice(1);
  if (how === 1 && word.length > 3) return before + rest.slice(1);
  if (how === 2 || rest.length < 2) return before + letter + rest;
  return before + rest.charAt(1) + rest.charAt(0) + rest.slice(2);
}

suite("texts made of what the registry has", async () => {
  using registry = new SmallRegistry();
  const directory = await registryOf(registry);
  const snapshot = registry.snapshot();
  const places = placesOf(snapshot);
  const providers = providersOf();
  const people = providers.filter(({ name }) => name?.first && name.last);
  const organizations = providers.filter((each) => each.organization_name);

  /** Active providers from all over the registry. */
  function providersOf(): Provider[] {
    const { count, npi } = snapshot;
    return Array.from({ length: Math.min(count, 20_000) }, (_, index) => {
      const doc = Math.floor(((index * 0.618_033_988_75) % 1) * count);
      return directory.recordOf(String(npi[doc]));
    })
      .filter((each) => each !== null)
      .filter(({ status }) => status === "active");
  }

  /** True if an offer finds a provider. */
  function finds({ npi }: Provider): IsRight {
    const doc = snapshot.npiIndex.find(Number(npi));
    return ({ filters, operation }) => {
      if (operation !== "search") return false;
      const found = directory.search.all(filters);
      const docs = new Uint32Array(found.total);
      found.reader().read(docs);
      return docs.includes(doc);
    };
  }

  test("every city with its state, with and without a specialty", (t) => {
    const tally = new Tally(directory);
    for (const place of some(places, TRIED.places)) {
      const { city, state } = place;
      const dentist = both(isIn(place), isSpecialty("dentist"));
      tally.try(`dentist in ${city}, ${state}`, dentist);
      tally.try(`${city}, ${state}`, isIn(place));
      tally.try(`${city} ${state} dentist`, dentist);
    }
    tally.end(t, { read: 0.995, offered: 0.995 });
  });

  test("every specialty that a provider has, in a city and anywhere", (t) => {
    const tally = new Tally(directory);
    const { specialties } = directory.explore.vocabulary;
    for (const [index, { text }] of specialties.all.entries()) {
      const place = places[index % places.length]!;
      if (directory.search.total({ specialty: text }) === 0) continue;
      tally.try(text, isSpecialty(text));
      tally.try(
        `${text} in ${place.city}, ${place.state}`,
        both(isIn(place), isSpecialty(text)),
      );
    }
    tally.end(t, { read: 0.98, offered: 0.98 });
  });

  test("people, in six forms", (t) => {
    const forms = Array.from({ length: 6 }, () => new Tally(directory));
    for (const person of some(people, TRIED.people)) {
      const { first, last, middle, credential } = person.name!;
      const isRight = finds(person);
      const city = person.practice_address?.city;
      const typed = [
        `${first} ${last}`,
        credential && `${first} ${last}, ${credential}`,
        `dr ${last}`,
        `${last}, ${first}`,
        credential && `${last}, ${first} ${middle ?? ""} ${credential}`,
        city && `${first} ${last} in ${city}`.toLowerCase(),
      ];
      for (const [form, text] of typed.entries())
        if (text) forms[form]!.try(text, isRight);
    }
    for (const tally of forms) tally.end(t, { read: 0.97, offered: 0.995 });
  });

  test("organizations by their full name, whatever their legal form", (t) => {
    const tally = new Tally(directory);
    for (const organization of some(organizations, TRIED.organizations)) {
      const name = organization.organization_name!;
      const isRight = finds(organization);
      tally.try(name, isRight);
      tally.try(
        LEGAL_FORM.test(name) ? name.replace(LEGAL_FORM, "") : `${name} LLC`,
        isRight,
      );
      if (name.includes(" & "))
        tally.try(name.replace(" & ", " and "), isRight);
    }
    tally.end(t, { read: 0.97, offered: 0.995 });
  });

  test("names with one or two wrong letters are among the first five offers", (t) => {
    const random = randomNumbers(41);
    const tally = new Tally(directory, ALL_OFFERS);
    for (const person of some(people, TRIED.misspelled)) {
      const first = person.name!.first!.toLowerCase();
      const last = person.name!.last!.toLowerCase();
      if (![first, last].every((name) => /^[a-z]{4,}$/.test(name))) continue;
      const wrong = (word: string) => misspelled(word, random);
      const isRight = finds(person);
      tally.try(`${wrong(first)} ${last}`, isRight);
      tally.try(`${first} ${wrong(last)}`, isRight);
      tally.try(`${wrong(first)} ${wrong(last)}`, isRight);
      tally.try(`${first} ${wrong(wrong(last))}`, isRight);
    }
    tally.end(t, { offered: 0.9 });
  });

  test("everyday phrases for specialties stand for the right ones", (t) => {
    const tally = new Tally(directory, 0);
    const path = new URL("everyday-phrases.txt", import.meta.url);
    for (const line of readFileSync(path, "utf8").split("\n")) {
      const [phrase = "", wanted = ""] = line.split("\t");
      if (wanted === "") continue;
      tally.try(phrase, ({ filters }) => {
        const codes = commonCodesOf(fold(filters.specialty ?? "")) ?? new Set();
        return (
          !isNamed(filters) && wanted.split(" ").some((code) => codes.has(code))
        );
      });
    }
    tally.end(t, { read: 0.93, offered: 0.93 });
  });
});
