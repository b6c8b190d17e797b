/**
 * How long does a client wait for the kinds of searches that cost most, over HTTP? One request after the other over one
 * connection, each with other words, to a service with one worker in a separate process. The floor, in the same run:
 * look-ups. Words come from names of random documents, so frequent ones are drawn often.
 *
 *   node_modules/.bin/node bench/load/slow-searches.ts [data folder] [requests of each kind]
 */
import { Snapshot } from "../../src/snapshot/snapshot.ts";
import { SnapshotStore } from "../../src/store/store.ts";
import { installOver } from "./installation.ts";
import { ServerProcess } from "./server-process.ts";
import { printWaits, waitsFor } from "../support/waits.ts";

const WARM_UP = 50;
const COMMON_WORDS = 24;
const SAMPLED = 20_000;
/** Steps through documents, which spreads them evenly. */
const GOLDEN = 0.618_033_988_75;
const LETTERS = "aeiou";
const [dataDir = "data", requests = "500"] = process.argv.slice(2);

/** A kind of search, drawn from the texts of two persons' names. */
interface Kind {
  readonly title: string;
  readonly ask: (one: string, other: string, turn: number) => Query;
}
type Query = Readonly<Record<string, string>>;

using installation = await installOver(dataDir);
const { kinds, lookUps, persons } = draw();
await using service = await ServerProcess.serve(installation, {
  workers: 1,
  logLevel: "info",
});
await measure("floor: look-up", lookUps);
for (const { ask, title } of kinds)
  await measure(
    title,
    Array.from({ length: WARM_UP + Number(requests) }, (_, turn) => {
      const [one = "", other = ""] = persons.slice(2 * turn);
      return `search?${new URLSearchParams(ask(one, other, turn)).toString()}`;
    }),
  );

/** The first requests only warm up. */
async function measure(title: string, paths: readonly string[]): Promise<void> {
  const urls = paths.map((path) => `${service.url}/v1/providers/${path}`);
  const headers = { authorization: `Bearer ${installation.key}` };
  await waitsFor(urls.slice(0, WARM_UP), headers);
  printWaits(title, await waitsFor(urls.slice(WARM_UP), headers));
}

/** Drawn before the service starts, so that the snapshot is in memory once. */
function draw(): {
  kinds: readonly Kind[];
  lookUps: readonly string[];
  persons: readonly string[];
} {
  const store = new SnapshotStore(installation.dataDir);
  const snapshot = new Snapshot(store.share(store.currentId() ?? ""));
  const { count, lastNames, name, npi, organizations } = snapshot;
  const docs = Array.from({ length: SAMPLED }, (_, turn) =>
    Math.floor(((turn * GOLDEN) % 1) * count),
  );
  const lastNameOf = (doc: number): string =>
    name[doc]! > lastNames.count ? "" : lastNames.folded(name[doc]!);
  const words = commonest(
    docs
      .filter((doc) => name[doc]! > lastNames.count)
      .flatMap((doc) =>
        organizations.folded(name[doc]! - lastNames.count).split(" "),
      ),
  );
  return {
    persons: docs.map(lastNameOf).filter((text) => /^[A-Z]{4,}$/.test(text)),
    lookUps: docs
      .slice(0, WARM_UP + Number(requests))
      .map((doc) => String(npi[doc])),
    kinds: [
      {
        title: "two pieces of a name (HA AE)",
        ask: (one, other) => ({
          name: `${one.slice(0, 2)} ${other.slice(1, 3)}`,
        }),
      },
      {
        title: "name, specialty, type (NIE, a)",
        ask: (one, _other, turn) => ({
          name: one.slice(1, 4),
          specialty: LETTERS[turn % LETTERS.length]!,
          entity_type: "individual",
        }),
      },
      {
        title: "three words (ON LLC MEDICAL)",
        ask: (one, _other, turn) => ({
          organization: `${one.slice(0, 2)} ${words[turn % COMMON_WORDS]} ${words[(turn * 5 + 1) % COMMON_WORDS]}`,
        }),
      },
    ],
  };
}

/** The most frequent words, the first one first. */
function commonest(words: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, COMMON_WORDS)
    .map(([word]) => word);
}
