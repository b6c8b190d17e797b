import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { suite, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { readTaxonomyFile } from "../../../src/reference/taxonomy-table.ts";
import {
  recordedAnswers,
  recordedProviders,
  rowsOfRecorded,
} from "../../support/pure/registry-api/recorded-answers.ts";
import { importZip } from "../../support/pure/registry/registry-zip.ts";
import { SmallRegistry } from "../../support/pure/registry/small-registry.ts";
import { FULL_PERIOD } from "../../support/pure/registry/widened-registry.ts";
import {
  startHttpService,
  type HttpService,
} from "../../support/app/http-service.ts";
import { SAMPLE } from "../../support/pure/engine/sample-directory.ts";

const NUCC = new URL(
  "../../../../shared/data/taxonomy/nucc_taxonomy_251.csv",
  import.meta.url,
);

/**
 * Requests as clients of others write them, with what they must find. `path` is what follows the base URL, which ends
 * in front of `/api`; `headers` are those that they add, with the key in one of them or in the base URL.
 */
const CLIENTS: readonly {
  readonly client: string;
  readonly path: string;
  readonly number: string;
  readonly headers?: (key: string) => Record<string, string>;
}[] = [
  // RestClient.get('…/api', params: options)
  {
    client: "nppes_api (Ruby)",
    path: `/api?version=2.1&number=${SAMPLE.person}`,
    number: SAMPLE.person,
  },
  {
    client: "nppes_api (Ruby)",
    path: "/api?version=2.1&enumeration_type=NPI-1&last_name=obri%2A&address_purpose=LOCATION&state=MO&limit=200&skip=0",
    number: SAMPLE.person,
  },
  // ->search->where('version', '2.1')->where('city', 'st. louis')->fetch()
  {
    client: "npi-registry-sdk (PHP)",
    path: "/api?version=2.1&city=st.%20louis&last_name=o%27b**",
    number: SAMPLE.person,
  },
  // WebUtility.UrlEncode: a plus for a space; booleans as C# writes them
  {
    client: "npi-api-net (.NET)",
    path: "/api/?version=2.1&first_name=Maria&use_first_name_alias=True&last_name=O%27Brien&city=St.+Louis&enumeration_type=NPI-1&limit=10",
    number: SAMPLE.person,
  },
  {
    client: "npi-api-net (.NET)",
    path: "/api/?version=2.1&organization_name=Lakeside+Invented+Clinic&address_purpose=PRIMARY&postal_code=62701&country_code=US&enumeration_type=NPI-2",
    number: SAMPLE.organization,
  },
  // httr's query of a list; NULL members are left out
  {
    client: "npi (R)",
    path: "/api/?version=2.1&enumeration_type=NPI-2&organization_name=lakeside%2A&state=IL&skip=0&limit=10",
    number: SAMPLE.organization,
  },
  // A form of the registry's own demo page: every parameter, most of them blank
  {
    client: "requests (Python)",
    path: `/api/?number=${SAMPLE.organization}&enumeration_type=&taxonomy_description=&name_purpose=&first_name=&use_first_name_alias=&last_name=&organization_name=&address_purpose=&city=&state=&postal_code=&country_code=&limit=&skip=&pretty=&version=2.1`,
    number: SAMPLE.organization,
  },
  // new NppesNpiRegistrySDK({ base, apikey, auth: { prefix: "Bearer" } }).direct(…): parameters by name, a type without
  // a body
  {
    client: "nppes-npi-registry-sdk (TypeScript)",
    path: `/api?number=${SAMPLE.person}&version=2.1`,
    number: SAMPLE.person,
    headers: (key) => ({
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "*/*",
      "accept-language": "*",
      "sec-fetch-mode": "cors",
      "user-agent": "node",
      "accept-encoding": "gzip, deflate",
    }),
  },
  {
    client: "nppes-npi-registry-sdk (Python)",
    path: "/api?city=St.%20Louis&last_name=O%27Brien&limit=10&skip=0&version=2.1",
    number: SAMPLE.person,
    headers: (key) => ({
      "accept-encoding": "identity",
      "content-type": "application/json",
      authorization: `Bearer ${key}`,
      "user-agent": "Mozilla/5.0 (compatible; NppesNpiRegistrySDK/1.0)",
      connection: "close",
    }),
  },
];

function userOf(service: HttpService): Record<string, string> {
  const user = Buffer.from(`${service.paidKey}:`).toString("base64");
  return { authorization: `Basic ${user}` };
}

suite("clients of the registry's API", () => {
  test("find the same with their base URL changed", async () => {
    await using service = await startHttpService();
    for (const { client, headers, number, path } of CLIENTS) {
      const answer = await service.ask({
        url: path,
        headers: headers?.(service.paidKey) ?? userOf(service),
      });
      const body = String(
        answer.headers["content-encoding"] === "gzip"
          ? gunzipSync(answer.rawPayload)
          : answer.body,
      );
      const { result_count, results } = JSON.parse(body);
      assert.equal(result_count, 1, `${client}: ${path}: ${body}`);
      assert.equal(results[0].number, number);
      // What their models read of a result.
      assert.ok(Array.isArray(results[0].addresses));
      assert.ok(Array.isArray(results[0].taxonomies));
      assert.equal(results[0].basic.status, "A");
    }
  });

  test("page through all matches, without gaps and repetitions", async () => {
    await using service = await startHttpService();
    const numbers: string[] = [];
    let total = 0;
    for (let skip = 0; ; skip += 50) {
      const { headers, ...answer } = await service.get(
        `/api/?version=2.1&last_name=testcase&limit=50&skip=${skip}`,
      );
      const { results } = JSON.parse(answer.body);
      for (const { number } of results) numbers.push(number);
      total = Number(headers["x-total-count"]);
      if (results.length < 50) break;
    }
    assert.ok(total > 100);
    assert.equal(numbers.length, total);
    assert.equal(new Set(numbers).size, total);
  });

  test("find the providers of recorded answers by what these show", async (t) => {
    const answers = recordedAnswers();
    if (answers === null || !existsSync(NUCC))
      return t.skip("the folder of the registry's own answers is not there");
    const providers = recordedProviders(answers);
    using registry = new SmallRegistry();
    const table = readTaxonomyFile(fileURLToPath(NUCC));
    await importZip(registry, FULL_PERIOD, rowsOfRecorded(providers), {
      taxonomy: { table, source: "NUCC" },
    });
    using directory = registry.directory();
    await using service = await startHttpService();
    service.data.directory = directory;
    const found = async (parameters: Readonly<Record<string, string>>) => {
      const query = new URLSearchParams({
        version: "2.1",
        limit: "200",
        ...parameters,
      });
      const { body } = await service.get(`/api/?${query.toString()}`);
      const { Errors, results = [] } = JSON.parse(body);
      assert.equal(Errors, undefined, body);
      return results.map(({ number }: { number: string }) => number);
    };
    for (const provider of providers) {
      const number = String(provider.number);
      const [only] = (
        await service.get(`/api/?version=2.1&number=${number}`)
      ).json().results;
      assert.deepEqual(
        only,
        JSON.parse(
          JSON.stringify(
            directory.registry.of(directory.lookup.find(number)?.doc ?? -1),
          ),
        ),
      );
      const asked: Record<string, string>[] = only.addresses.map(
        (at: Record<string, string>) => ({
          address_purpose: at["address_purpose"],
          city: at["city"],
          postal_code: at["postal_code"]?.slice(0, 5),
        }),
      );
      for (const { desc } of only.taxonomies)
        asked.push({ taxonomy_description: desc, city: asked[0]!["city"]! });
      const { first_name, last_name, organization_name } = only.basic;
      if (organization_name === undefined)
        asked.push({ first_name, last_name });
      else {
        asked.push({ organization_name });
        asked.push({
          name_purpose: "AO",
          last_name: only.basic.authorized_official_last_name,
        });
      }
      for (const parameters of asked)
        assert.ok(
          (await found(parameters)).includes(number),
          JSON.stringify(Object.keys(parameters)),
        );
    }
  });
});
