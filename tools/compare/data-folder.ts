/**
 * The data folders of both programs: the same accounts, one for each state of a key, and what each makes of the data.
 */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateKey } from "../../src/accounts/keys/api-key.ts";
import { unpackRelease } from "../../test/fixtures/make-release.ts";
import type { Checkout } from "./checkout.ts";
import type { Known } from "./requests.ts";

const RELEASE = "1.0.0";

/** Between the imports of files: snapshots are named after their time. */
const IMPORTS_APART_MS = 60_000;

/** What a comparison needs to know of the data folders. */
export interface Prepared {
  readonly known: Known;
  /** The user of the release's fixture, who can sign in. */
  readonly user: { readonly email: string; readonly password: string };
}

/** One of the programs, with the folder that its data folder is in. */
interface Place {
  readonly program: Checkout;
  readonly folder: string;
}

/**
 * Fills the data folders: the older program makes the accounts, which are those of a release and more, and each program
 * imports the files in their order, or makes a demo of that size if there are none.
 */
export function prepareDataFolders(
  { folder, program }: Place,
  newer: Place,
  files: readonly string[],
  providers: number,
): Prepared {
  const user = unpackRelease(RELEASE, join(folder, "data"));
  const gone = snapshotIds(program)[0] ?? "";
  const keys = makeKeys(program);
  cpSync(folder, newer.folder, { recursive: true });
  for (const each of [program, newer.program]) load(each, files, providers);
  const [current = ""] = snapshotIds(program);
  const rows = sample(program);
  const npis = rows.map(({ npi }) => npi);
  for (const each of [folder, newer.folder])
    writeFileSync(
      join(each, "roster.csv"),
      `name,NPI\n${[...npis, "1234567890", "123", ""].map((npi) => `A,${npi}`).join("\n")}\n`,
    );
  return { user, known: knownOf(keys, rows, [current, gone]) };
}

function load(
  program: Checkout,
  files: readonly string[],
  providers: number,
): void {
  if (files.length === 0)
    program.succeed(["demo", "--force", "--providers", String(providers)]);
  for (const [index, file] of files.entries())
    program.succeed(
      ["import", "--force", file],
      (files.length - index) * IMPORTS_APART_MS,
    );
}

function makeKeys(program: Checkout): Known["keys"] {
  const key = (plan: string) =>
    keyIn(
      program.succeed([
        "keys",
        "create",
        "--email",
        `${plan}@x.example`,
        "--plan",
        plan,
      ]),
    );
  const keys = {
    bulk: key("bulk"),
    spent: key("spent"),
    burst: key("burst"),
    revoked: keyIn(
      program.succeed([
        "keys",
        "create",
        "--email",
        "revoked@x.example",
        "--plan",
        "bulk",
      ]),
    ),
    suspended: keyIn(
      program.succeed([
        "keys",
        "create",
        "--email",
        "suspended@x.example",
        "--plan",
        "bulk",
      ]),
    ),
    unknown: generateKey(() => new Uint8Array(64)),
    mistyped: "pd_live_000000000000000000000000000000000000",
  };
  program.succeed(["keys", "revoke", keys.revoked]);
  program.succeed(["accounts", "suspend", "suspended@x.example"]);
  return keys;
}

function knownOf(
  keys: Known["keys"],
  rows: readonly Row[],
  snapshots: Known["snapshots"],
): Known {
  const npis = rows.map(({ npi }) => npi);
  return {
    keys,
    npis: npis.slice(0, 8),
    snapshots,
    found: {
      name: rows.map((row) => row.name?.last ?? row.organization_name ?? ""),
      first_name: rows.flatMap((row) => row.name?.first ?? []),
      last_name: rows.flatMap((row) => row.name?.last ?? []),
      organization: rows.flatMap((row) => row.organization_name ?? []),
      city: rows.flatMap((row) => row.city ?? []),
      state: rows.flatMap((row) => row.state ?? []),
      zip: ["60601", "90001", "10001", "77001", "00501"],
      postal_code: ["60601", "606*"],
      number: npis,
      taxonomy: rows.flatMap((row) => row.primary_taxonomy?.code ?? []),
      specialty: ["cardio", "nurse", "family medicine"],
      taxonomy_description: ["Family Medicine", "Dentist"],
      q: ["smith", "dr smith chicago", "nurse near 60601", npis[0] ?? ""],
    },
  };
}

interface Row {
  readonly npi: string;
  readonly name: { readonly first: string; readonly last: string } | null;
  readonly organization_name: string | null;
  readonly primary_taxonomy: { readonly code: string } | null;
  readonly city: string | null;
  readonly state: string | null;
}

/** Providers from several places of the order of results. */
function sample(program: Checkout): Row[] {
  return ["1", "40", "77", "150", "240"].flatMap((page) => {
    const out = program.succeed([
      "search",
      `page=${page}`,
      "limit=4",
      "--json",
    ]);
    const { data }: { data: Row[] } = JSON.parse(out);
    return data;
  });
}

function snapshotIds(program: Checkout): string[] {
  return program.succeed(["snapshots", "list"]).match(/\d{8}T\d{9}Z/g) ?? [];
}

function keyIn(printed: string): string {
  const [key] = /pd_live_\w{36}/.exec(printed) ?? [];
  if (key === undefined) throw new Error(`No key was printed: ${printed}`);
  return key;
}
