import type { Address } from "../../src/contract/details.ts";
import type { Provider } from "../../src/contract/provider.ts";
import { ParsedDirectory } from "../../test/support/pure/engine/parsed-directory.ts";
import { Snapshot } from "../../src/snapshot/snapshot.ts";
import { SnapshotStore } from "../../src/store/store.ts";

export const QUERY_KINDS = ["look-up", "search", "nearby"] as const;
export type QueryKind = (typeof QUERY_KINDS)[number];

/** A request for one of the three operations: its path with the query. */
export interface Question {
  readonly kind: QueryKind;
  readonly path: string;
}

const GOLDEN = 0.618_033_988_75;
/** At most this many providers are read to draw one query. */
const MAX_DRAWS = 20;

type Query = Readonly<Record<string, string | null | undefined>>;

/** What people search for, each drawn from a provider of the registry; a value that it lacks drops the question. */
const SEARCHES: readonly ((provider: Provider) => Query)[] = [
  ({ name }) => ({ last_name: name?.last }),
  ({ practice_address: a }) => ({ city: a?.city, state: a?.state }),
  ({ name }) => ({ first_name: name?.first, last_name: name?.last }),
  ({ practice_address: a, primary_taxonomy: t }) => ({
    state: a?.state,
    taxonomy: t?.code,
  }),
  ({ name, practice_address: a }) => ({ name: name?.last, state: a?.state }),
  ({ practice_address: a }) => ({ zip: zipOf(a) }),
  ({ organization_name: name }) => ({
    organization: name?.split(" ").slice(0, 2).join(" "),
  }),
  ({ practice_address: a }) => ({
    state: a?.state,
    specialty: "nurse practitioner",
  }),
  ({ name }) => ({ name: joined(name?.first, name?.last) }),
  ({ name, practice_address: a }) => ({
    last_name: name?.last?.slice(0, 3),
    zip: zipOf(a),
  }),
  ({ name }) => ({ name: name?.last?.slice(1, 5) }),
];

const NEARBY: readonly ((provider: Provider) => Query)[] = [
  ({ practice_address: a }) => ({ zip: zipOf(a) }),
  ({ practice_address: a }) => ({
    zip: zipOf(a),
    radius: "10",
    specialty: "nurse",
  }),
  ({ practice_address: a, primary_taxonomy: t }) => ({
    zip: zipOf(a),
    radius: "100",
    taxonomy: t?.code,
  }),
];

/** Draws this many queries of each kind from the registry of a data folder. */
export function drawQuestions(
  dataDir: string,
  count: Readonly<Record<QueryKind, number>>,
): Record<QueryKind, Question[]> {
  const store = new SnapshotStore(dataDir);
  const id = store.currentId();
  if (id === null) throw new Error("The data folder has no current snapshot.");
  const snapshot = new Snapshot(store.share(id));
  const directory = new ParsedDirectory(snapshot);
  const search = asker("/v1/providers/search", SEARCHES);
  const nearby = asker("/v1/providers/nearby", NEARBY);
  return {
    "look-up": draw("look-up", ({ npi }) => `/v1/providers/${npi}`),
    search: draw("search", search),
    nearby: draw("nearby", (provider, turn) => {
      const zip = zipOf(provider.practice_address);
      const isKnown = zip !== null && directory.nearby.centroid(zip) !== null;
      return isKnown ? nearby(provider, turn) : null;
    }),
  };

  /** Goes through the documents in golden steps, which spread evenly, until there are enough questions. */
  function draw(
    kind: QueryKind,
    ask: (provider: Provider, turn: number) => string | null,
  ): Question[] {
    const questions: Question[] = [];
    for (let turn = 0; questions.length < count[kind]; turn++) {
      if (turn > count[kind] * MAX_DRAWS)
        throw new Error(
          `The registry is too small for this number of questions.`,
        );
      const doc = Math.floor(((turn * GOLDEN) % 1) * snapshot.count);
      const provider = directory.recordOf(String(snapshot.npi[doc]));
      const path = provider === null ? null : ask(provider, turn);
      if (path !== null) questions.push({ kind, path });
    }
    return questions;
  }
}

function asker(
  path: string,
  queries: readonly ((provider: Provider) => Query)[],
) {
  return function ask(provider: Provider, turn: number): string | null {
    const values = Object.entries(queries[turn % queries.length]!(provider));
    const pairs = values.flatMap(([name, value]) =>
      typeof value === "string" && /[A-Z0-9]/i.test(value)
        ? [[name, value]]
        : [],
    );
    return pairs.length < values.length
      ? null
      : `${path}?${new URLSearchParams(pairs).toString()}`;
  };
}

function joined(
  first: string | null | undefined,
  last: string | null | undefined,
): string | null {
  return typeof first === "string" && typeof last === "string"
    ? `${first} ${last}`
    : null;
}

/** The ZIP code of a U.S. address, else null. */
function zipOf(address: Address | null): string | null {
  return /^[0-9]{5}/.exec(address?.postal_code ?? "")?.[0] ?? null;
}
