/** The data folder that both programs get a copy of: given or invented data, and an account for each state of a key. */
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateKey } from "../../src/accounts/keys/api-key.ts";
import { unpackRelease } from "../../test/fixtures/make-release.ts";
import type { Checkout } from "./checkout.ts";
import type { Known } from "./requests.ts";

const RELEASE = "1.0.0";

/** What a comparison needs to know of its data folder. */
export interface Prepared {
  readonly known: Known;
  /** The user of the release's fixture, who can sign in. */
  readonly user: { readonly email: string; readonly password: string };
}

/** Fills `folder/data` by the older program: the accounts of a release, and the snapshots of `source` or a demo. */
export function prepareDataFolder(
  program: Checkout,
  folder: string,
  source: string | null,
  providers: number,
): Prepared {
  const dataDir = join(folder, "data");
  const user = unpackRelease(RELEASE, dataDir);
  const gone = snapshotIds(program)[0] ?? "";
  if (source === null)
    program.succeed(["demo", "--force", "--providers", String(providers)]);
  else {
    mkdirSync(dataDir, { recursive: true });
    for (const name of ["snapshots", "changes.sqlite"])
      if (existsSync(join(source, name)))
        cpSync(join(source, name), join(dataDir, name), {
          recursive: true,
          force: true,
        });
  }
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
  const [current = ""] = snapshotIds(program);
  const rows = sample(program);
  const npis = rows.map(({ npi }) => npi);
  writeFileSync(
    join(folder, "roster.csv"),
    `name,NPI\n${[...npis, "1234567890", "123", ""].map((npi) => `A,${npi}`).join("\n")}\n`,
  );
  return {
    user,
    known: {
      keys,
      npis: npis.slice(0, 8),
      snapshots: [current, gone],
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
