/**
 * How long does one question take, in process, the page rendered? Asks each class of questions some thousand times, with
 * values drawn from the registry itself, and prints the median and the 99th percentile. The floor is JSON.stringify of
 * one record, in the same run.
 *
 *   node bench/search.ts [providers | data folder] [questions]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Directory } from "../src/search/directory.ts";
import { Snapshot } from "../src/snapshot/snapshot.ts";
import { SnapshotStore } from "../src/snapshot/store.ts";
import { writeSyntheticRegistry } from "../src/synthetic/write-registry.ts";
import { importFile } from "./import-file.ts";
import type { Provider } from "../src/registry/provider.ts";
import type { SearchQuery } from "../src/search/query.ts";

const WARM_UP = 200;
const PAGE = { limit: 25, page: 1 };
const [source = "1000000", questions = "2000"] = process.argv.slice(2);

if (/^\d+$/.test(source))
  await benchInvented(Number(source), Number(questions));
else ask(current(new SnapshotStore(source)), Number(questions));

async function benchInvented(providers: number, asked: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "search-bench-"));
  try {
    ask(await build(folder, providers), asked);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function current(store: SnapshotStore): Snapshot {
  const id = store.currentId();
  if (id === null) throw new Error("The data folder has no current snapshot");
  return new Snapshot(store.read(id));
}

function ask(snapshot: Snapshot, asked: number): void {
  console.log(
    `${snapshot.count} providers, snapshot ${(snapshot.file.buffer.byteLength / 1e6).toFixed(0)} MB`,
  );
  const directory = new Directory(snapshot);
  const sample = Array.from({ length: asked }, (_, i) => {
    const doc = Math.floor(((i * 0.618_033_988_75) % 1) * snapshot.count);
    return directory.lookup(String(snapshot.npi[doc]));
  }).filter((provider) => provider !== null);
  const search =
    (
      make: (provider: Provider) => Omit<SearchQuery, "limit" | "page"> | null,
    ) =>
    (provider: Provider) => {
      const query = make(provider);
      return query === null
        ? null
        : () => directory.search({ ...query, ...PAGE });
    };

  measure(
    "floor: JSON.stringify",
    sample,
    (provider) => () => JSON.stringify(provider),
  );
  measure(
    "look-up",
    sample,
    ({ npi }) =>
      () =>
        directory.lookup(npi),
  );
  measure(
    "zip",
    sample,
    search(({ practice_address: address }) =>
      given({ zip: address?.postal_code?.slice(0, 5) }),
    ),
  );
  measure(
    "city and state",
    sample,
    search(({ practice_address: a }) =>
      given({ city: a?.city, state: a?.state }),
    ),
  );
  measure(
    "city",
    sample,
    search(({ practice_address: a }) => given({ city: a?.city })),
  );
  measure(
    "state and specialty",
    sample,
    search(({ practice_address: a }) =>
      given({ state: a?.state, specialty: "nurse" }),
    ),
  );
  measure(
    "taxonomy",
    sample,
    search(({ primary_taxonomy: t }) => given({ taxonomy: t?.code })),
  );
  measure(
    "last name",
    sample,
    search(({ name }) => given({ lastName: name?.last })),
  );
  measure(
    "last name, three letters",
    sample,
    search(({ name }) => given({ lastName: name?.last?.slice(0, 3) })),
  );
  measure(
    "first and last name",
    sample,
    search(({ name }) => given({ name: both(name?.first, name?.last) })),
  );
  measure(
    "name, four letters inside",
    sample,
    search(({ name }) => given({ name: name?.last?.slice(1, 5) })),
  );
  measure(
    "name, two letters",
    sample.slice(0, 200),
    search(({ name }) => given({ name: name?.last?.slice(0, 2) })),
  );
  measure(
    "organization, two words",
    sample,
    search((p) => given({ organization: twoWords(p.organization_name) })),
  );
  for (const radiusMiles of [25, 100, 500]) {
    measure(
      `nearby, ${radiusMiles} miles`,
      sample,
      ({ practice_address: address }) => {
        const center = directory.centroid(
          address?.postal_code?.slice(0, 5) ?? "",
        );
        return center === null
          ? null
          : () => directory.nearby({ center, radiusMiles, ...PAGE });
      },
    );
  }
  const last = Math.floor(snapshot.count / 100);
  measure(
    "no filter, the last page of 100",
    sample,
    () => () => directory.search({ limit: 100, page: last }),
  );
}

function measure(
  title: string,
  sample: Provider[],
  make: (provider: Provider) => (() => unknown) | null,
): void {
  const actions = sample.map(make).filter((action) => action !== null);
  for (const action of actions.slice(0, WARM_UP)) action();
  const times = actions.map((action) => {
    const began = process.hrtime.bigint();
    action();
    return Number(process.hrtime.bigint() - began) / 1000;
  });
  times.sort((a, b) => a - b);
  const at = (share: number): string =>
    (times[Math.floor(times.length * share)] ?? 0).toFixed(1).padStart(9);
  console.log(
    `${title.padEnd(34)} ${String(times.length).padStart(5)} asked  p50 ${at(0.5)} µs  p99 ${at(0.99)} µs`,
  );
}

/** The filters, when each of them has a value that can be asked for. */
function given(
  filters: Record<string, string | null | undefined>,
): Omit<SearchQuery, "limit" | "page"> | null {
  const values = Object.values(filters);
  return values.every(
    (value) => value !== null && value !== undefined && /[A-Z0-9]/i.test(value),
  )
    ? filters
    : null;
}

function both(
  first: string | null | undefined,
  last: string | null | undefined,
): string | null {
  return typeof first === "string" && typeof last === "string"
    ? `${first} ${last}`
    : null;
}

function twoWords(name: string | null): string | null {
  return name === null ? null : name.split(" ").slice(0, 2).join(" ");
}

async function build(folder: string, count: number): Promise<Snapshot> {
  const path = join(folder, "registry.zip");
  await writeSyntheticRegistry({ providers: count, out: path });
  const store = new SnapshotStore(folder);
  await importFile(path, store);
  return current(store);
}
