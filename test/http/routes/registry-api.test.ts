import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { pino } from "pino";
import { answerLogTo } from "../../../src/server/log/log.ts";
import { basicUser } from "../../../src/http/access/authorize.ts";
import { errorOf } from "../../support/pure/http-error.ts";
import { recordUse } from "../../support/app/accounts-installation.ts";
import {
  startHttpService,
  type HttpService,
  type HttpServiceOptions,
} from "../../support/app/http-service.ts";
import { CROWD, SAMPLE } from "../../support/pure/engine/sample-directory.ts";
import { REGISTRY_API_DEFAULTS } from "../../support/app/service-settings.ts";

const FREE_USER = "free@clinic.example";
const CHALLENGE = 'Basic realm="NPI registry", charset="UTF-8"';

function api(parameters: Readonly<Record<string, string>>): string {
  return `/api/?${new URLSearchParams({ version: "2.1", ...parameters }).toString()}`;
}

function start(
  registryApi: Partial<typeof REGISTRY_API_DEFAULTS>,
  options: HttpServiceOptions = {},
): Promise<HttpService> {
  return startHttpService({
    ...options,
    settings: { registryApi: { ...REGISTRY_API_DEFAULTS, ...registryApi } },
  });
}

function basic(user: string, password = ""): Record<string, string> {
  return { authorization: `Basic ${encode(`${user}:${password}`)}` };
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64");
}

function left({ headers }: { headers: object }): number {
  return Number(Reflect.get(headers, "x-ratelimit-remaining"));
}

suite("the registry's API", () => {
  test("answers a number with the provider's record, at both paths", async () => {
    await using service = await startHttpService();
    const answer = await service.get(api({ number: SAMPLE.person }));
    assert.equal(answer.statusCode, 200);
    assert.equal(
      answer.headers["content-type"],
      "application/json; charset=utf-8",
    );
    assert.equal(answer.headers["x-total-count"], "1");
    assert.match(
      String(answer.headers["access-control-expose-headers"]),
      /, X-Total-Count$/,
    );
    assert.equal(answer.headers["access-control-allow-origin"], "*");
    assert.equal(answer.headers["cache-control"], "private");
    const { result_count, results } = answer.json();
    assert.equal(result_count, 1);
    const [{ basic: shown, number, taxonomies, ...rest }] = results;
    assert.equal(number, SAMPLE.person);
    assert.equal(rest.enumeration_type, "NPI-1");
    assert.equal(shown.last_name, "O'BRIEN");
    assert.deepEqual(taxonomies[0], {
      code: "207Q00000X",
      desc: "Family Medicine Physician",
      license: "INV-1",
      primary: true,
      state: "MO",
      taxonomy_group: "",
    });
    const bare = await service.get(
      api({ number: SAMPLE.person }).replace("/api/", "/api"),
    );
    assert.equal(bare.body, answer.body);
  });

  test("the registry's errors have status 200 and count nothing, unless they needed the data", async () => {
    await using service = await startHttpService();
    const before = left(await service.get(api({ number: SAMPLE.person })));
    for (const [parameters, number] of [
      [{ version: "2.0" }, "17"],
      [{}, "04"],
      [{ number: "1" }, "06"],
      [{ state: "CA" }, "07"],
    ] as const) {
      const answer = await service.get(api(parameters));
      assert.equal(answer.statusCode, 200);
      assert.deepEqual(Object.keys(answer.json()), ["Errors"]);
      assert.equal(answer.json().Errors[0].number, number);
      assert.equal(answer.headers["x-total-count"], undefined);
      assert.equal(left(answer), before);
    }
    const unknown = await service.get(
      api({ taxonomy_description: "207Q00000X" }),
    );
    assert.equal(
      unknown.body,
      '{"Errors":[{"description":"No taxonomy codes found with entered description","field":"taxonomy_description","number":"14"}]}',
    );
    assert.equal(left(unknown), before - 1);
  });

  test("takes the key as a bearer token or as the user name of HTTP Basic", async () => {
    await using service = await startHttpService();
    const url = api({ number: SAMPLE.person });
    for (const headers of [
      { authorization: `Bearer ${service.paidKey}` },
      basic(service.paidKey),
      basic(service.paidKey, "any password"),
    ])
      assert.equal((await service.ask({ url, headers })).statusCode, 200);
    for (const headers of [{}, basic(""), { authorization: "Basic" }]) {
      const answer = await service.ask({ url, headers });
      assert.equal(answer.statusCode, 401);
      assert.equal(errorOf(answer.body).code, "missing_api_key");
      assert.equal(answer.headers["www-authenticate"], `Bearer, ${CHALLENGE}`);
    }
    for (const headers of [
      { authorization: "Bearer unknown" },
      basic("unknown"),
      basic("", service.paidKey),
    ]) {
      const answer = await service.ask({ url, headers });
      assert.equal(answer.statusCode, 401);
      if (headers.authorization !== basic("", service.paidKey)["authorization"])
        assert.equal(
          answer.headers["www-authenticate"],
          `Bearer error="invalid_token", ${CHALLENGE}`,
        );
    }
    const elsewhere = await service.ask({
      url: "/v1/providers/search",
      headers: basic(service.paidKey),
    });
    assert.equal(elsewhere.statusCode, 401);
    assert.equal(elsewhere.headers["www-authenticate"], "Bearer");
  });

  test("reads only well-formed Basic headers", () => {
    assert.equal(basicUser(`basic  ${encode("a:b:c")} `), "a");
    assert.equal(basicUser(`Basic ${encode("a")}`), "a");
    for (const header of [
      undefined,
      "",
      "Basic",
      "Basic !",
      `Bearer ${encode("a:b")}`,
      `Basic ${encode(":b")}`,
    ])
      assert.equal(basicUser(header), null);
  });

  test("is in the documentation only if it is there", async () => {
    for (const mode of ["key", "open", "off"] as const) {
      await using service = await start({ mode });
      for (const path of ["/openapi.json", "/docs"]) {
        const { body } = await service.ask({ url: path });
        const found =
          /searchNpiRegistry|RegistryProvider|apiKeyAsUser|NPI Registry API/.test(
            body,
          );
        assert.equal(found, mode !== "off", `${path} ${mode}`);
      }
    }
  });

  test("is not there if it is off", async () => {
    await using service = await start({ mode: "off" });
    for (const url of ["/api", api({ number: SAMPLE.person })])
      assert.equal((await service.get(url)).statusCode, 404);
  });

  test("without keys, each address has its limit, and a key its account's", async () => {
    await using service = await start({ mode: "open", burstPerSecond: 2 });
    const url = api({ number: SAMPLE.person });
    const visit = (remoteAddress: string) =>
      service.ask({ url, remoteAddress });
    const first = await visit("203.0.113.1");
    assert.equal(first.statusCode, 200);
    assert.equal(first.json().result_count, 1);
    assert.equal(first.headers["x-total-count"], "1");
    assert.equal(first.headers["ratelimit-policy"], '"burst";q=6;w=3');
    assert.equal(first.headers["x-ratelimit-limit"], undefined);
    for (let i = 1; i < 6; i++)
      assert.equal((await visit("203.0.113.1")).statusCode, 200);
    const refused = await visit("203.0.113.1");
    assert.equal(refused.statusCode, 429);
    assert.equal(errorOf(refused.body).code, "rate_limited");
    assert.equal(refused.headers["retry-after"], "1");
    assert.equal((await visit("203.0.113.2")).statusCode, 200);
    const keyed = await service.get(url);
    assert.equal(keyed.statusCode, 200);
    assert.equal(keyed.body, first.body);
    assert.notEqual(keyed.headers["x-ratelimit-limit"], undefined);
    const wrong = await service.ask({ url, headers: basic("unknown") });
    assert.equal(wrong.statusCode, 401);
    assert.equal((await service.ask({ url: "/v1/status" })).statusCode, 200);
    assert.equal(
      (await service.ask({ url: "/v1/providers/search" })).statusCode,
      401,
    );
  });

  test("an entity tag makes the next answer 304, which is free", async () => {
    for (const mode of ["key", "open"] as const) {
      await using service = await start({ mode });
      const headers: Record<string, string> =
        mode === "key" ? basic(service.paidKey) : {};
      const url = api({ last_name: "OBRIEN" });
      const first = await service.ask({ url, headers });
      const etag = String(first.headers.etag);
      assert.match(etag, /^W\/"/);
      const again = await service.ask({
        url,
        headers: { ...headers, "if-none-match": etag },
      });
      assert.equal(again.statusCode, 304);
      assert.equal(again.body, "");
      if (mode === "key") assert.equal(left(again), left(first));
      const other = await service.ask({
        url: `${url}&pretty=true`,
        headers: { ...headers, "if-none-match": etag },
      });
      assert.equal(other.statusCode, 200);
    }
  });

  test("HEAD, OPTIONS and other methods are as elsewhere", async () => {
    await using service = await startHttpService();
    const url = api({ number: SAMPLE.person });
    const headers = { authorization: `Bearer ${service.paidKey}` };
    const got = await service.ask({ url, headers });
    const head = await service.ask({ method: "HEAD", url, headers });
    assert.equal(head.statusCode, 200);
    assert.equal(head.body, "");
    assert.equal(head.headers["content-length"], got.headers["content-length"]);
    assert.equal(head.headers["x-total-count"], "1");
    const options = await service.ask({ method: "OPTIONS", url });
    assert.equal(options.statusCode, 204);
    const posted = await service.ask({ method: "POST", url, headers });
    assert.equal(posted.statusCode, 405);
    assert.equal(posted.headers.allow, "GET, HEAD, OPTIONS");
  });

  test("pretty indents the same answer", async () => {
    await using service = await startHttpService();
    for (const parameters of [
      { number: SAMPLE.person },
      { number: SAMPLE.absent },
      { state: "MO" },
    ]) {
      const plain = await service.get(api(parameters));
      const pretty = await service.get(api({ ...parameters, pretty: "true" }));
      assert.deepEqual(pretty.json(), plain.json());
      assert.equal(pretty.body, JSON.stringify(plain.json(), null, 4));
      assert.equal(plain.body, JSON.stringify(plain.json()));
    }
  });

  test("200 records with all details are compressed, with the same headers", async () => {
    await using service = await startHttpService();
    const url = api({ last_name: "testcase", limit: "1000" });
    const plain = await service.get(url);
    assert.equal(plain.json().result_count, CROWD);
    assert.equal(plain.headers["x-total-count"], String(CROWD));
    const packed = await service.get(url, { "accept-encoding": "gzip" });
    assert.equal(packed.headers["content-encoding"], "gzip");
    for (const name of [
      "x-total-count",
      "access-control-expose-headers",
      "etag",
    ])
      assert.equal(packed.headers[name], plain.headers[name]);
  });

  test("is counted as its own operation, and logged without keys and values", async () => {
    const text: string[] = [];
    const write = (line: string) => void text.push(line);
    await using service = await startHttpService({
      logger: pino({}, { write }),
      answerLog: answerLogTo(write, { node: "a", thread: "b" }),
    });
    const before = left(await service.get("/v1/providers/search"));
    const url = api({ last_name: "O'BRIEN", city: "ST. LOUIS", key: "secret" });
    const answer = await service.ask({
      url,
      headers: basic(service.paidKey),
    });
    assert.equal(left(answer), before - 1);
    await service.ask({ url, headers: basic("pd_live_mistyped") });
    const [, line = "", refused = ""] = text;
    const { account, key, params, route, status } = JSON.parse(line);
    assert.deepEqual(
      { key, params, route, status },
      {
        key: "valid",
        params: ["version", "last_name", "city"],
        route: "/api/",
        status: 200,
      },
    );
    assert.equal(typeof account, "number");
    assert.equal(JSON.parse(refused).status, 401);
    const all = text.join("");
    const encoded = encode(`${service.paidKey}:`);
    for (const secret of [
      service.paidKey,
      encoded,
      "mistyped",
      "BRIEN",
      "secret",
    ])
      assert.ok(!all.includes(secret), secret);
  });

  test("what the service itself refuses has the service's own status", async () => {
    await using service = await startHttpService();
    const { accounts, clock, place } = service.installation;
    const accountId = (await accounts.users.find(FREE_USER))?.id ?? 0;
    await recordUse(place, accountId, clock.nowMs, [
      { keyId: 0, hour: clock.nowMs, operation: "search", count: 999 },
    ]);
    const url = api({ number: SAMPLE.person });
    const ask = () => service.ask({ url, headers: basic(service.freeKey) });
    const last = await ask();
    assert.equal(last.statusCode, 200);
    assert.equal(left(last), 0);
    const spent = await ask();
    assert.equal(spent.statusCode, 429);
    assert.equal(errorOf(spent.body).code, "quota_exceeded");
    service.data.directory = null;
    const answer = await service.get(url);
    assert.equal(answer.statusCode, 503);
    assert.equal(errorOf(answer.body).code, "data_not_loaded");
  });
});
