import type { Address } from "../../../src/contract/details.ts";
import type { Provider } from "../../../src/contract/provider.ts";
import { NO_STATE, stateNumber } from "../../../src/contract/states.ts";
import { ParsedDirectory } from "../../../test/support/pure/engine/parsed-directory.ts";
import type { Snapshot } from "../../../src/snapshot/snapshot.ts";
import { fold, words } from "../../../src/text/fold.ts";
import { ALL_LIMIT, type Question, type QuestionClass } from "./question.ts";

const ASKED = 1000;
const WARM_UP = 50;
/** Providers that a class draws from, at most: many give no question, or one that was there before. */
const DRAWN = 20 * ASKED;
/** Steps of this share of the whole spread evenly, however many there are. */
const GOLDEN_RATIO = 0.618_033_988_75;
/** Strings that very many names contain. */
const COMMON_PIECES = words("DE LA AN EL MA ER IN AR LE RO VAN SAN MAR SON");

/** Makes a question of a provider, where it gives one; `turn` counts the providers. */
type Draw = (provider: Provider, turn: number) => Question | null;

/** The question set, its values drawn from the registry itself; the same registry gives the same set. */
export function questionClasses(snapshot: Snapshot): QuestionClass[] {
  const directory = new ParsedDirectory(snapshot);
  return Object.entries(draws(snapshot, directory)).map(([title, draw]) => {
    const questions = differentQuestions(snapshot, directory, draw);
    const warmUp = Math.min(WARM_UP, Math.ceil(questions.length / 10));
    return {
      title,
      warmUp: questions.slice(0, warmUp),
      questions: questions.slice(warmUp),
    };
  });
}

function differentQuestions(
  snapshot: Snapshot,
  directory: ParsedDirectory,
  draw: Draw,
): Question[] {
  const questions = new Map<string, Question>();
  for (let turn = 0; turn < DRAWN && questions.size < ASKED + WARM_UP; turn++) {
    const doc = Math.floor(((turn * GOLDEN_RATIO) % 1) * snapshot.count);
    const provider = directory.recordOf(String(snapshot.npi[doc]));
    const question = provider === null ? null : draw(provider, turn);
    if (question !== null) questions.set(JSON.stringify(question), question);
  }
  return [...questions.values()];
}

function draws(
  snapshot: Snapshot,
  directory: ParsedDirectory,
): Record<string, Draw> {
  const lastPage = Math.ceil(snapshot.count / ALL_LIMIT);
  return {
    "look-up by NPI": ({ npi }) => ({ kind: "npi", npi }),
    ZIP: ({ practice_address: address }) => {
      const zip = zipOf(address);
      return zip === null ? null : { kind: "zip", zip };
    },
    "city and state": ({ practice_address: address }) => {
      const state = stateOf(address);
      const city = address?.city ?? "";
      return state === null || fold(city) === ""
        ? null
        : { kind: "city", city, state };
    },
    "state and a word of the specialty": (provider, turn) => {
      const state = stateOf(provider.practice_address);
      const name = fold(provider.primary_taxonomy?.description ?? "");
      const specialty = words(name).at(turn % 3);
      return state === null || specialty === undefined
        ? null
        : { kind: "specialty", specialty, state };
    },
    taxonomy: ({ primary_taxonomy: taxonomy }) =>
      taxonomy === null ? null : { kind: "taxonomy", taxonomy: taxonomy.code },
    "last name": ({ name }) => lastName(fold(name?.last ?? "")),
    "last name, three letters": ({ name }) =>
      lastName(fold(name?.last ?? "").slice(0, 3)),
    "first and last name": ({ name }) =>
      pieceOfName(`${name?.first ?? ""} ${name?.last ?? ""}`),
    "four letters inside a name": ({ name }) =>
      pieceOfName(fold(name?.last ?? "").slice(1, 5)),
    "two letters inside a name": ({ name }) =>
      pieceOfName(fold(name?.last ?? "").slice(0, 2)),
    "two common pieces of names": (_, turn) =>
      pieceOfName(
        `${commonPiece(turn)} ${commonPiece(turn / COMMON_PIECES.length)}`,
      ),
    "organization, two words": ({ organization_name: name }) => {
      const organization = words(fold(name ?? ""))
        .slice(0, 2)
        .join(" ");
      return organization === ""
        ? null
        : { kind: "organization", organization };
    },
    "nearby, 25 miles": nearby(directory, 25, false),
    "nearby, 100 miles": nearby(directory, 100, false),
    "nearby, 500 miles": nearby(directory, 500, false),
    "nearby, 25 miles, taxonomy": nearby(directory, 25, true),
    "nearby, 100 miles, taxonomy": nearby(directory, 100, true),
    "nearby, 500 miles, taxonomy": nearby(directory, 500, true),
    "no filter, one of the last pages": (_, turn) => ({
      kind: "all",
      page: Math.max(1, lastPage - turn),
    }),
  };
}

function nearby(
  directory: ParsedDirectory,
  radiusMiles: number,
  withTaxonomy: boolean,
): Draw {
  return ({ practice_address: address, primary_taxonomy: taxonomy }) => {
    const zip = zipOf(address);
    const center = zip === null ? null : directory.nearby.centroid(zip);
    if (center === null || (withTaxonomy && taxonomy === null)) return null;
    return {
      kind: "nearby",
      ...center,
      radiusMiles,
      taxonomy: withTaxonomy ? (taxonomy?.code ?? null) : null,
    };
  };
}

function lastName(value: string): Question | null {
  return value === "" ? null : { kind: "lastName", last_name: value };
}

function pieceOfName(value: string): Question | null {
  return fold(value) === "" ? null : { kind: "name", name: value };
}

function commonPiece(turn: number): string {
  return COMMON_PIECES[Math.floor(turn) % COMMON_PIECES.length] ?? "";
}

function zipOf(address: Address | null): string | null {
  return /^\d{5}/.exec(address?.postal_code ?? "")?.[0] ?? null;
}

/** The two letters of a known state. */
function stateOf(address: Address | null): string | null {
  const state = address?.state ?? "";
  return stateNumber(state) === NO_STATE ? null : state;
}
