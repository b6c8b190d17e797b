import { STATE_CODES } from "../../../contract/states.ts";
import { Directory } from "../../../search/directory.ts";
import { checkListening } from "../../../server/free-port.ts";
import type { Service } from "../../../server/service.ts";
import { Snapshot } from "../../../snapshot/snapshot.ts";
import type { SnapshotStore } from "../../../store/store.ts";
import { buildDemo, type DemoContents } from "../demo.ts";
import {
  CommandError,
  NO_OPERANDS,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import {
  openAccountsFor,
  openSnapshots,
  withImportLock,
} from "../../data-folder.ts";
import { counted, formatSeconds } from "../../output/format.ts";
import {
  readServeOptions,
  SERVE_SETTINGS,
  serveUntilStopped,
  type ServeOptions,
} from "./serve.ts";
import { DETAILS, PROVIDERS } from "../../settings/settings.ts";

/** An address that never gets mail (RFC 2606). */
const DEMO_EMAIL = "demo@demo.example";
/** The free plan's burst limit would stop a small loop of requests. */
const DEMO_PLAN = "paid";
/** Imported after the demo's first file, so that there are changes and a previous snapshot. */
const DEMO_WEEK = { from: "2026-11-10", to: "2026-11-16", changes: 25 };
/** The number of providers that the week adds, so that the demo has as many as asked for. */
const ADDED_IN_WEEK = 9;
const KEY_PLACE = "YOUR_API_KEY";

export const startCommand: Command = {
  operands: NO_OPERANDS,
  settings: [...SERVE_SETTINGS, PROVIDERS],
  summary:
    "What npm start runs: serve the data folder; if it has no data, create a demo and an API key first.",
  details: [
    "The demo's key is printed once and not stored. If there is data, it does what serve does and prints examples.",
  ],
  isHidden: true,
  prepare(reader) {
    const read = readServeOptions(reader, "warn");
    const options = { ...read, signUp: { ...read.signUp, isForDemo: true } };
    const providers = reader.read(PROVIDERS);
    const details = reader.read(DETAILS);
    return (context) => start(options, { providers, details }, context);
  },
};

async function start(
  options: ServeOptions,
  demo: DemoContents,
  context: Context,
): Promise<ExitCode> {
  // Check before creating a demo that could not be served.
  const check = await checkListening(options.host, options.port);
  if (check.outcome === "refused") throw new CommandError(check.message);
  const store = openSnapshots(options.dataDir);
  let key: string | null = null;
  if (store.currentId() === null) {
    if (store.ids().length > 0)
      throw new CommandError(
        `${options.dataDir} has snapshots, but none is marked as current. Run snapshots rollback to choose the newest.`,
      );
    key = await withImportLock(options.dataDir, () =>
      makeDemo(store, options, demo, context),
    );
    context.out(`Demo key (shown only once, plan ${DEMO_PLAN}): ${key}`);
  }
  return serveUntilStopped(options, context, (service, url) =>
    introduce(service, url, key, options, context),
  );
}

async function makeDemo(
  store: SnapshotStore,
  options: ServeOptions,
  demo: DemoContents,
  context: Context,
): Promise<string> {
  context.out(
    `No data in ${options.dataDir} yet. Inventing ${counted(demo.providers, "provider")} ...`,
  );
  const providers = Math.max(1, demo.providers - ADDED_IN_WEEK);
  const full = { ...demo, providers };
  const first = await buildDemo(store, full, context);
  const week = await buildDemo(store, { ...full, week: DEMO_WEEK }, context);
  context.out(
    `Demo data ready after ${formatSeconds(first.seconds + week.seconds)}.`,
  );
  await using accounts = await openAccountsFor(options, "start", context);
  await accounts.users.create(DEMO_EMAIL, DEMO_PLAN);
  const made = await accounts.keys.create(DEMO_EMAIL);
  if (made.outcome !== "created")
    throw new Error(`Could not create a key for the demo: ${made.outcome}.`);
  return made.key;
}

/** Prints where the service is and how to use it. */
function introduce(
  { snapshot }: Service,
  url: string,
  key: string | null,
  { dataDir, files, mcp, portal, publicUrl, registryApi }: ServeOptions,
  context: Context,
): void {
  const out = (line: string): void => context.out(line);
  out("");
  const address = publicUrl ?? url;
  out(`Listening on ${url}`);
  if (portal !== null) out(`Portal:         ${address}/`);
  out(`Documentation:  ${address}/docs`);
  if (files === "on") out(`Files for SQL:  ${address}/v1/files`);
  if (mcp === "on") out(`Assistants:     ${address}/mcp`);
  if (snapshot === null) {
    out("The data cannot be served. The log says why.");
    return;
  }
  out(
    `Data:           ${counted(snapshot.providers, "provider")} (${snapshot.source})`,
  );
  out("");
  if (key === null) {
    out(
      `Keys are shown only once. To create another:  bin/provider-directory keys create --email you@clinic.example --plan ${DEMO_PLAN} --data-dir ${dataDir}`,
    );
    out(`Replace ${KEY_PLACE} with it:`);
    out("");
  }
  for (const { command, title } of curlExamples(
    new Snapshot({ ...snapshot.file, extended: null }),
    address,
    key ?? KEY_PLACE,
    registryApi.mode,
  )) {
    out(`${title}:`);
    out(`  ${command}`);
  }
  out("");
  out("Press Ctrl-C to stop.");
}

/** A command to paste into a shell. */
interface CurlExample {
  readonly title: string;
  readonly command: string;
}

/** Tried first: a name that anyone would search for. */
const FIRST_CHOICE = {
  name: "smith",
  entity_type: "individual",
  status: "active",
} as const;
const RADIUS_MILES = "10";

/**
 * Makes a `curl` command for some operations, and for the registry's own API in its mode, built from a provider in the
 * data so that each finds something. If no individual has a known location, they find nothing.
 */
function curlExamples(
  snapshot: Snapshot,
  url: string,
  key: string,
  registryApi: "off" | "key" | "open",
): CurlExample[] {
  const example = examplePerson(snapshot);
  const zip = example?.zip ?? "60601";
  const search = String(
    new URLSearchParams({
      name: example?.lastName.toLowerCase() ?? "smith",
      state: example?.state ?? "IL",
    }),
  );
  const nearby = String(new URLSearchParams({ zip, radius: RADIUS_MILES }));
  const npi = String(example?.npi ?? "1234567893");
  return [
    {
      title: "One provider by NPI",
      command: curl(`${url}/v1/providers/${npi}`, key),
    },
    {
      title: "Providers by name and state",
      command: curl(`${url}/v1/providers/search?${search}`, key),
    },
    {
      title: `Providers within ${RADIUS_MILES} miles of a ZIP code`,
      command: curl(`${url}/v1/providers/nearby?${nearby}`, key),
    },
    ...(registryApi === "off"
      ? []
      : [registryExample(url, npi, registryApi === "open" ? null : key)]),
  ];
}

/** Sends a key as clients of the registry's API do: in their base URL. */
function registryExample(
  url: string,
  npi: string,
  key: string | null,
): CurlExample {
  const base = key === null ? url : url.replace("://", `://${key}:x@`);
  return {
    title: "The same provider in NPPES API format",
    command: `curl '${base}/api/?version=2.1&number=${npi}'`,
  };
}

interface ExamplePerson {
  readonly npi: number;
  readonly lastName: string;
  readonly state: string;
  readonly zip: string;
}

/** Finds an individual whose ZIP has a centroid. */
function examplePerson(snapshot: Snapshot): ExamplePerson | null {
  const { lastNames, name, npi, places } = snapshot;
  const directory = new Directory(snapshot);
  for (const filters of [
    FIRST_CHOICE,
    { entity_type: "individual", status: "active" } as const,
  ]) {
    const page = directory.search.page({ ...filters, limit: 100, page: 1 });
    for (const { doc } of page.hits) {
      const place = places.placeOf(doc);
      if (place < 0 || places.zip[place] === 0) continue;
      const lastName = lastNames.spelling(name[doc]!);
      const state = STATE_CODES[places.state[place]! - 1];
      const zip = String(places.zip[place]! - 1).padStart(5, "0");
      const isKnown = directory.nearby.centroid(zip) !== null;
      if (lastName !== null && state !== undefined && isKnown)
        return { npi: npi[doc]!, lastName, state, zip };
    }
  }
  return null;
}

/** Quotes both parts for the shell. Neither can contain a quote; URLs percent-encode them. */
function curl(address: string, key: string): string {
  return `curl -H 'Authorization: Bearer ${key}' '${address}'`;
}
