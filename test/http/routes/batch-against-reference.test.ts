import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { suite, test } from "node:test";
import type { BatchEntry } from "../../../src/contract/answers.ts";
import { DETAIL_PARTS } from "../../../src/contract/detail-parts.ts";
import { referenceMembers } from "../../support/pure/reference/provider-details.ts";
import {
  ReferenceDetails,
  type FileWithDetails,
} from "../../support/pure/reference/reference-details.ts";
import { unzippedRows } from "../../support/pure/registry/unzipped-rows.ts";
import type { RawRow } from "../../support/pure/registry/raw-row.ts";
import { fullTest } from "../../support/pure/full-run.ts";
import { importZip } from "../../support/pure/registry/registry-zip.ts";
import {
  npiOf,
  person,
  SmallRegistry,
  withheld,
} from "../../support/pure/registry/small-registry.ts";
import {
  startHttpService,
  type HttpService,
} from "../../support/app/http-service.ts";

const PATH = "/v1/providers";
const REAL_WEEK = fileURLToPath(
  new URL(
    "../../../../shared/data/registry/NPPES_Data_Dissemination_010124_010724_Weekly.zip",
    import.meta.url,
  ),
);
const MOST = 500;

/** Compares the entries of batches with what the rows say, one after the other. */
async function compare(
  service: HttpService,
  reference: ReferenceDetails,
  asked: readonly string[],
): Promise<number> {
  let replaced = 0;
  for (let from = 0; from < asked.length; from += MOST) {
    const npis = asked.slice(from, from + MOST);
    const answer = await service.get(
      `${PATH}?npi=${npis.join(",")}&include=all`,
    );
    assert.equal(answer.statusCode, 200, answer.body);
    const { data, meta }: { data: BatchEntry[]; meta: object } = answer.json();
    assert.deepEqual(
      data.map(({ npi }) => npi),
      npis,
    );
    let counted = 0;
    for (const entry of data) {
      const held = reference.held.get(entry.npi);
      if (isNpi(entry.npi)) counted++;
      if (held === undefined) {
        assert.equal(
          entry.verdict,
          isNpi(entry.npi) ? "not_found" : "invalid_check_digit",
        );
        assert.deepEqual([entry.provider, entry.replaced_by], [null, null]);
        assert.deepEqual(
          (entry.suggestions ?? []).toSorted(),
          isNpi(entry.npi)
            ? []
            : neighborsOf(entry.npi, reference, entry.suggestions ?? []),
        );
        continue;
      }
      const { identity } = held.details;
      const isDeactivated =
        identity.deactivationDate !== null &&
        (identity.reactivationDate ?? "") < identity.deactivationDate;
      assert.equal(
        entry.verdict,
        isDeactivated ? "deactivated" : "active",
        entry.npi,
      );
      assert.equal(
        entry.replaced_by,
        isDeactivated ? identity.replacementNpi : null,
      );
      if (entry.replaced_by !== null) replaced++;
      assert.equal(entry.suggestions, undefined);
      const { provider } = entry;
      assert.ok(provider !== null);
      const { data: lookup } = (
        await service.get(`${PATH}/${entry.npi}`)
      ).json();
      assert.deepEqual(provider, {
        ...lookup,
        ...membersOf(held.details, Object.keys(provider), provider),
      });
    }
    assert.deepEqual(meta, { ...meta, count: npis.length, counted });
  }
  return replaced;
}

/** The stored parts of details as an answer shows them. Names of taxonomies are those of the answer. */
function membersOf(
  details: Parameters<typeof referenceMembers>[0],
  members: readonly string[],
  provider: object,
): object {
  const parts = DETAIL_PARTS.filter((part) => members.includes(part));
  const names = new Map<string, string | null>();
  if ("taxonomies" in provider && Array.isArray(provider.taxonomies))
    for (const { code, description } of provider.taxonomies)
      names.set(code, description);
  const shown = referenceMembers(
    details,
    parts,
    (code) => names.get(code) ?? null,
  );
  return JSON.parse(JSON.stringify(shown));
}

/** All NPIs one digit or one swap away; if there are more than five, those of them that were suggested. */
function neighborsOf(
  npi: string,
  { held }: ReferenceDetails,
  suggestions: readonly string[],
): string[] {
  const near = [...held.keys()].filter((other) => isNear(npi, other));
  if (near.length <= 5) return near.sort();
  assert.equal(suggestions.length, 5);
  return near.filter((other) => suggestions.includes(other)).sort();
}

/** True if two numbers differ by one digit, or by two neighboring digits swapped. */
function isNear(one: string, other: string): boolean {
  let first = 0;
  while (first < one.length && one[first] === other[first]) first++;
  if (first === one.length) return false;
  const second = first + 1;
  if (one.slice(second) === other.slice(second)) return true;
  return (
    one[first] === other[second] &&
    one[second] === other[first] &&
    one.slice(second + 1) === other.slice(second + 1)
  );
}

/** The check digit, as the standard describes it: every second digit doubled, from the right. */
function isNpi(npi: string): boolean {
  const digits = Array.from(`80840${npi}`, Number).reverse();
  const sum = digits.reduce((all, digit, place) => {
    const value = place % 2 === 1 ? digit * 2 : digit;
    return all + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function mistyped(npi: string, at: number): string {
  const digit = (Number(npi[at]) + 1 + (at % 8)) % 10;
  return npi.slice(0, at) + String(digit) + npi.slice(at + 1);
}

/** Each NPI, every third one mistyped as well, and every seventh twice. */
function questions(npis: readonly string[]): string[] {
  return npis.flatMap((npi, index) => [
    npi,
    ...(index % 3 === 0 ? [mistyped(npi, index % 10)] : []),
    ...(index % 7 === 0 ? [npi] : []),
  ]);
}

function row(number: number): RawRow {
  const isDeactivated = number % 5 === 0;
  return {
    ...person(number, {
      ...(isDeactivated ? { deactivationDate: "01/02/2024" } : {}),
      ...(number % 10 === 0 ? { reactivationDate: "02/03/2024" } : {}),
    }),
    "Replacement NPI": number % 3 === 0 ? npiOf(number + (number % 4)) : "",
    "Provider First Line Business Mailing Address": `PO BOX ${number}`,
    "Other Provider Identifier_1": `ID${number}`,
    "Other Provider Identifier Type Code_1": "05",
    "Provider License Number_1": `L-${number}`,
  };
}

function endpointOf(number: number): RawRow {
  return {
    NPI: npiOf(number),
    "Endpoint Type": "DIRECT",
    Endpoint: `${number}@example.com`,
  };
}

suite("a batch is what the rows say", () => {
  test("of an invented registry and a week, with details and replacements", async () => {
    using registry = new SmallRegistry();
    const reference = new ReferenceDetails();
    const all = Array.from({ length: 400 }, (_, number) => number);
    const files: readonly [string, FileWithDetails][] = [
      [
        "20050523-20261108",
        {
          kind: "full",
          rows: all.map(row),
          otherNames: [],
          locations: [],
          endpoints: all.filter((number) => number % 4 === 0).map(endpointOf),
        },
      ],
      [
        "20261109-20261115",
        {
          kind: "week",
          rows: all
            .filter((number) => number % 9 === 0)
            .map((number) =>
              Object.assign(withheld(number, "11/10/2026"), {
                "Replacement NPI": npiOf(number + 2),
              }),
            ),
          otherNames: null,
          locations: null,
          endpoints: null,
        },
      ],
    ];
    for (const [period, file] of files) {
      reference.apply(file);
      const { status } = await importZip(registry, period, {
        endpoints: null,
        ...file,
      });
      assert.equal(status, "imported");
    }
    await using service = await startHttpService();
    using directory = registry.directory();
    service.data.directory = directory;
    const unknown = all.slice(0, 50).map((number) => npiOf(1_000 + number));
    const asked = questions([...all.map(npiOf), ...unknown]);
    assert.ok((await compare(service, reference, asked)) > 20);
  });

  fullTest("of a real week", async (t) => {
    if (!existsSync(REAL_WEEK))
      return t.skip("the registry's weeks are not there (../shared)");
    using registry = new SmallRegistry();
    const { status } = await registry.importPath(REAL_WEEK);
    assert.equal(status, "imported");
    const reference = new ReferenceDetails();
    const rows = await unzippedRows(REAL_WEEK);
    reference.apply({ kind: "week", rows, otherNames: null, locations: null });
    await using service = await startHttpService();
    using directory = registry.directory();
    service.data.directory = directory;
    const npis = [...reference.held.keys()];
    const sample = npis.filter((_, index) => index % 40 === 0);
    const deactivated = npis.filter(
      (npi) =>
        reference.held.get(npi)?.details.identity.deactivationDate !== null,
    );
    await compare(
      service,
      reference,
      questions([...sample, ...deactivated.slice(0, 200)]),
    );
  });
});
