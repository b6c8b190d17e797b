import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, it, test } from "node:test";
import * as fc from "fast-check";
import type { Address } from "../../src/contract/details.ts";
import type { Provider } from "../../src/contract/provider.ts";
import type { ProviderDetails } from "../support/pure/reference/provider-details.ts";
import type {
  FieldText,
  RegistryPlace,
  RegistryQuery,
} from "../../src/search/registry-api/registry-query.ts";
import { writeSyntheticRegistry } from "../../src/registry-generator/write-registry.ts";
import { fullTest, rounds } from "../support/pure/full-run.ts";
import { unzippedRows } from "../support/pure/registry/unzipped-rows.ts";
import { SmallRegistry } from "../support/pure/registry/small-registry.ts";
import { importZip } from "../support/pure/registry/registry-zip.ts";
import {
  FULL_PERIOD,
  WIDENED,
  widenedDirectory,
} from "../support/pure/registry/widened-registry.ts";
import { ReferenceDetails } from "../support/pure/reference/reference-details.ts";
import { ReferenceRegistryQueries } from "../support/pure/reference/reference-registry-query.ts";
import { ReferenceRegistry } from "../support/pure/reference/reference-registry.ts";

const PROVIDERS = rounds(3_000, 1_500);
const QUERIES = rounds(1_000, 100);
const QUERIES_OF_A_WEEK = 400;
const OPTIONS = { deactivatedDetails: "keep", force: false } as const;
const SHARED = new URL("../../../shared/data/registry/", import.meta.url);

describe("searches as the registry's own API has them", () => {
  it("answer like the reference, in a full file and after weeks", async () => {
    using trial = new Trial(true);
    const write = async (name: string, contents: object): Promise<void> => {
      const out = join(trial.registry.folder, name);
      await writeSyntheticRegistry({
        providers: PROVIDERS,
        out,
        otherFiles: true,
        ...contents,
      });
      await trial.import(out);
      trial.compare(QUERIES);
    };
    await write("NPPES_Data_Dissemination_November_2026.zip", {});
    for (const [from, to] of [
      ["2026-11-10", "2026-11-16"],
      ["2026-11-17", "2026-11-23"],
    ]) {
      const [first, last] = [from!, to!].map(
        (iso) => iso.slice(5, 7) + iso.slice(8) + iso.slice(2, 4),
      );
      await write(`NPPES_Data_Dissemination_${first}_${last}_Weekly.zip`, {
        week: { from, to, changes: 400 },
      });
    }
  });
});

test("a first and a last name must match one name there, and any of a person's names in /v1", async () => {
  using registry = new SmallRegistry();
  const rows = [{ ...WIDENED.rows[0], "Provider Other First Name": "SAM" }];
  await importZip(registry, FULL_PERIOD, { ...WIDENED, rows });
  using directory = widenedDirectory(registry);
  for (const [first, last, isFound] of [
    ["PAT", "EXAMPLE", true],
    ["SAM", "MAIDEN", true],
    ["PAT", "MAIDEN", false],
    ["SAM", "EXAMPLE", false],
  ] as const) {
    const { hits } = directory.search.registryPage({
      names: {
        purpose: "provider",
        first: { text: first, isPrefix: false },
        last: { text: last, isPrefix: false },
        useAliases: false,
      },
      skip: 0,
      limit: 9,
    });
    assert.equal(hits.length, isFound ? 1 : 0, `${first} ${last}`);
    const { total } = directory.found({
      first_name: first,
      last_name: last,
      name_scope: "any",
      limit: 9,
      page: 1,
    });
    assert.equal(total, 1);
  }
});

fullTest(
  "searches of the real weeks as the registry's own API has them answer like the reference",
  async (t) => {
    if (!existsSync(SHARED))
      return t.skip("the folder of real registry files is not there");
    using trial = new Trial(false);
    for (const week of ["010124_010724", "010824_011424", "011524_012124"]) {
      const name = `NPPES_Data_Dissemination_${week}_Weekly.zip`;
      await trial.import(fileURLToPath(new URL(name, SHARED)));
      trial.compare(QUERIES_OF_A_WEEK);
    }
  },
);

/** An installation and its reference, which import the same files. */
class Trial implements Disposable {
  readonly registry = new SmallRegistry();
  readonly #records = new ReferenceRegistry(new Map());
  readonly #details = new ReferenceDetails();
  readonly #hasOtherFiles: boolean;

  constructor(hasOtherFiles: boolean) {
    this.#hasOtherFiles = hasOtherFiles;
  }

  async import(path: string): Promise<void> {
    const hasOtherFiles = this.#hasOtherFiles;
    const { status } = await this.registry.importPath(path);
    assert.equal(status, "imported");
    assert.deepEqual(this.registry.faults(), []);
    const rows = await unzippedRows(path);
    const isWeek = path.includes("Weekly");
    const [, from = "", to = ""] = /_(\d{6})_(\d{6})_Weekly/.exec(path) ?? [];
    this.#records.import(
      {
        kind: isWeek ? "weekly" : "full",
        from: isWeek ? isoOf(from) : "2005-05-23",
        to: isWeek ? isoOf(to) : "2026-11-08",
        rows,
      },
      OPTIONS,
    );
    this.#details.apply({
      kind: isWeek ? "week" : "full",
      rows,
      otherNames: hasOtherFiles ? await unzippedRows(path, "othername") : null,
      locations: hasOtherFiles ? await unzippedRows(path, "pl") : null,
    });
  }

  compare(queries: number): void {
    const providers = this.#records.providers();
    const details = new Map(
      Array.from(this.#details.held, ([npi, held]) => [
        npi,
        // Without the zip's other files, these are not kept.
        this.#hasOtherFiles
          ? held.details
          : { ...held.details, otherNames: [], locations: [] },
      ]),
    );
    const reference = new ReferenceRegistryQueries(providers, details);
    const directory = this.registry.directory();
    const snapshot = this.registry.snapshot();
    let found = 0;
    for (const query of fc.sample(
      arbitraryQuery(providers, details),
      queries,
    )) {
      const { hits, total } = directory.search.registryPage(query);
      const all = reference.search(query);
      const page = all.slice(query.skip, query.skip + query.limit);
      assert.deepEqual(
        {
          query: JSON.stringify(query),
          total,
          npis: hits.map(({ doc }) => String(snapshot.npi[doc])),
        },
        { query: JSON.stringify(query), total: all.length, npis: page },
      );
      found += Math.min(total, 1);
    }
    // A third do, so that of a hundred, fewer than a tenth never happens by chance.
    assert.ok(found > queries / 10, `${found} of ${queries} found something`);
  }

  [Symbol.dispose](): void {
    this.registry[Symbol.dispose]();
  }
}

/** Questions that a provider's own data suggest, some of them with another one's. */
function arbitraryQuery(
  providers: readonly Provider[],
  details: ReadonlyMap<string, ProviderDetails>,
): fc.Arbitrary<RegistryQuery> {
  const provider = fc.constantFrom(...providers);
  return fc
    .tuple(provider, provider, fc.nat(9))
    .chain(([own, other, strangeness]) => {
      const of = strangeness === 0 ? other : own;
      const its = details.get(own.npi)!;
      const addresses = [
        own.practice_address,
        its.mailingAddress,
        ...its.locations,
        of.practice_address,
      ].filter((address) => address !== null);
      const people = [
        own.name,
        its.identity.official,
        ...its.otherNames.map(({ person }) => person),
      ].filter((person) => person !== null);
      const organizations = [
        own.organization_name,
        of.organization_name,
        ...its.otherNames.map(({ organization }) => organization),
      ];
      const codes = [
        own.primary_taxonomy?.code,
        ...its.taxonomies.map(({ code }) => code),
      ].filter((code) => code !== undefined);
      const fields = {
        number: maybe(fc.constant(own.npi), 30),
        enumerationType: maybe(
          fc.constantFrom("individual" as const, "organization" as const),
          6,
        ),
        taxonomies: maybe(
          fc.subarray([...new Set([...codes, "207Q00000X", "193200000X"])]),
          6,
        ),
        names:
          people.length === 0
            ? fc.constant(undefined)
            : maybe(
                fc.constantFrom(...people).chain(({ first, last }) =>
                  fc
                    .record({
                      purpose: fc.constantFrom(
                        "provider" as const,
                        "provider" as const,
                        "official" as const,
                      ),
                      first: maybe(text(first), 2),
                      last: maybe(text(last), 2),
                      useAliases: fc.boolean(),
                    })
                    .map(withoutUndefined)
                    .filter(
                      (names) =>
                        names.first !== undefined || names.last !== undefined,
                    ),
                ),
                2,
              ),
        organizationName: maybe(
          fc.constantFrom(...organizations).chain(text),
          own.organization_name === null ? 20 : 2,
        ),
        place:
          addresses.length === 0
            ? fc.constant(undefined)
            : maybe(fc.constantFrom(...addresses).chain(place), 1),
        skip: fc.constantFrom(0, 0, 0, 1, 7),
        limit: fc.constantFrom(1, 10, 200),
      } satisfies Record<keyof RegistryQuery, unknown>;
      return fc.record(fields).map(withoutUndefined);
    });
}

function place(address: Address): fc.Arbitrary<RegistryPlace> {
  const { city, country, postal_code: code, state } = address;
  const fields = {
    purpose: fc.constantFrom(
      null,
      "location" as const,
      "mailing" as const,
      "primary" as const,
      "secondary" as const,
    ),
    city: maybe(text(city)),
    state: maybe(fc.constantFrom(state ?? "CA", (state ?? "ny").toLowerCase())),
    postalCode: maybe(
      fc.oneof(
        text(code),
        text(code?.slice(0, 5) ?? null),
        text(code?.replace(/^(\d{5})(\d)/, "$1-$2") ?? null),
      ),
    ),
    country: maybe(fc.constantFrom(country ?? "US", "US", "PR", "ca")),
  } satisfies Record<keyof RegistryPlace, unknown>;
  return fc
    .record(fields)
    .map(withoutUndefined)
    .filter((each) => Object.keys(each).length > 1);
}

/** One time in `oneIn` a value, else none. */
function maybe<T>(
  values: fc.Arbitrary<T>,
  oneIn = 2,
): fc.Arbitrary<T | undefined> {
  return fc
    .nat(oneIn - 1)
    .chain((n): fc.Arbitrary<T | undefined> =>
      n === 0 ? values : fc.constant(undefined),
    );
}

/** A text, in any case, or its start. */
function text(value: string | null): fc.Arbitrary<FieldText> {
  const whole = value ?? "NOTHING";
  return fc
    .tuple(fc.boolean(), fc.nat(whole.length), fc.boolean())
    .map(([isPrefix, length, isLower]) => {
      const written = isPrefix ? whole.slice(0, Math.max(2, length)) : whole;
      return { text: isLower ? written.toLowerCase() : written, isPrefix };
    });
}

/** Leaves out members that are undefined. */
function withoutUndefined<T extends object>(object: T): OnlyDefined<T>;
function withoutUndefined(object: object): object {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined),
  );
}

type OnlyDefined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<
    T[K],
    undefined
  >;
};

function isoOf(short: string): string {
  return `20${short.slice(4)}-${short.slice(0, 2)}-${short.slice(2, 4)}`;
}
