import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  fixtureOf,
  unpackInstallation,
} from "../../fixtures/make-installation.ts";
import { releases, unpackRelease } from "../../fixtures/make-release.ts";
import { errorOf } from "../../support/pure/http-error.ts";
import {
  npiOf,
  SmallRegistry,
} from "../../support/pure/registry/small-registry.ts";
import { startHttpService } from "../../support/app/http-service.ts";

/** Data folders that earlier programs made. */
const INSTALLATIONS: Readonly<Record<string, (dataDir: string) => void>> = {
  "format 2": (dataDir) => unpackInstallation(fixtureOf(2), dataDir),
  "format 3": (dataDir) => unpackInstallation(fixtureOf(3), dataDir),
  ...Object.fromEntries(
    releases().map((version) => [
      `release ${version}`,
      (dataDir: string) => void unpackRelease(version, dataDir),
    ]),
  ),
};

type Parameters = Readonly<Record<string, string>>;

/** Conditions of every kind, and of every kind with an address or a name of every purpose. */
function* questions(): Generator<Parameters> {
  const places: Parameters[] = [
    { city: "chicago" },
    { city: "chi*" },
    { city: "chicago", state: "IL" },
    { postal_code: "60601" },
    { postal_code: "606010001" },
    { postal_code: "60*" },
    { country_code: "CA" },
    { country_code: "US", city: "chicago" },
  ];
  const names: Parameters[] = [
    { last_name: "example" },
    { last_name: "ex*", first_name: "pat" },
    { first_name: "pat", use_first_name_alias: "False", last_name: "example" },
  ];
  yield* [
    ...[1, 4, 5, 6, 9].map((number) => ({ number: npiOf(number) })),
    { organization_name: "invented practice" },
    { organization_name: "in*", enumeration_type: "NPI-2" },
    { taxonomy_description: "Family Medicine Physician" },
    { taxonomy_description: "family*", state: "IL", skip: "1", limit: "2" },
    { taxonomy_description: "none of this name" },
    { last_name: "example", pretty: "true" },
    { state: "IL" },
  ];
  for (const name_purpose of ["", "AO", "PROVIDER"])
    for (const each of names) yield { ...each, name_purpose };
  for (const address_purpose of [
    "",
    "LOCATION",
    "MAILING",
    "PRIMARY",
    "SECONDARY",
  ])
    for (const each of places) yield { ...each, address_purpose };
}

suite("the registry's API over data of earlier programs", () => {
  for (const [name, unpack] of Object.entries(INSTALLATIONS))
    test(`answers or refuses every kind of question: ${name}`, async () => {
      using registry = new SmallRegistry();
      unpack(registry.store.dataDir);
      using directory = registry.directory();
      await using service = await startHttpService();
      service.data.directory = directory;
      let results = 0;
      for (const parameters of questions()) {
        const query = new URLSearchParams({ version: "2.1", ...parameters });
        const answer = await service.get(`/api/?${query.toString()}`);
        const asked = `${query.toString()}: ${answer.body}`;
        if (answer.statusCode !== 200) {
          assert.equal(answer.statusCode, 400, asked);
          assert.equal(errorOf(answer.body).code, "details_not_held", asked);
          assert.match(asked, /name_purpose=AO|address_purpose=[MS]/);
          continue;
        }
        const body = JSON.parse(answer.body);
        assert.ok(Array.isArray(body.results ?? body.Errors), asked);
        results += body.result_count ?? 0;
      }
      assert.ok(results > 20, String(results));
      const found = async (parameters: Parameters) => {
        const query = new URLSearchParams({ version: "2.1", ...parameters });
        const { body } = await service.get(`/api/?${query.toString()}`);
        return JSON.parse(body).results.map(
          ({ number }: { number: string }) => number,
        );
      };
      assert.deepEqual(await found({ number: npiOf(4) }), [npiOf(4)]);
      assert.deepEqual(await found({ number: npiOf(1) }), []);
      assert.deepEqual(await found({ last_name: "changed" }), [npiOf(4)]);
    });
});
