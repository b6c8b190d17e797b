import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import test from "node:test";
import type { BatchEntry } from "../../../src/contract/answers.ts";
import { badParameters, errorOf } from "../../support/pure/http-error.ts";
import {
  FULL,
  npiOf,
  person,
  SmallRegistry,
} from "../../support/pure/registry/small-registry.ts";
import {
  startHttpService,
  type HttpService,
} from "../../support/app/http-service.ts";
import { SAMPLE } from "../../support/pure/engine/sample-directory.ts";

const PATH = "/v1/providers";

async function remaining(service: HttpService): Promise<number> {
  const { headers } = await service.get("/v1/changes?limit=0");
  return Number(headers["x-ratelimit-remaining"]);
}

test("an answer never mixes two states of the data, whatever is swapped meanwhile", async () => {
  const npis = Array.from({ length: 500 }, (_, number) => npiOf(number));
  const states = await Promise.all(
    ["FIRST", "SECOND"].map(async (last) => {
      const registry = new SmallRegistry();
      const rows = npis.map((_, number) => ({
        ...person(number, { last }),
        "Provider First Line Business Mailing Address": last,
      }));
      await registry.import(FULL, rows);
      return { registry, directory: registry.directory() };
    }),
  );
  try {
    await using service = await startHttpService();
    let swaps = 0;
    const progress = { isDone: false };
    service.data.directory = states[0]?.directory ?? null;
    const url = `${PATH}?npi=${npis.join(",")}&include=all`;
    const asked = Array.from({ length: 6 }, () => service.get(url));
    const ended = Promise.all(asked).finally(() => (progress.isDone = true));
    // Swapped in each turn it would start again forever; a later one lets it end.
    for (let turn = 0; !progress.isDone; turn++) {
      await nextTurn();
      if (swaps >= 30 || turn % 3 !== 0) continue;
      service.data.directory = states[++swaps % 2]?.directory ?? null;
    }
    for (const answer of await ended) {
      assert.equal(answer.statusCode, 200, answer.body);
      const { data }: { data: BatchEntry[] } = answer.json();
      assert.equal(data.length, 500);
      const seen = new Set(
        data.flatMap(({ provider }) => [
          provider?.name?.last,
          provider?.mailing_address?.address_1,
        ]),
      );
      assert.equal(seen.size, 1, [...seen].join());
      const state = states.find(
        ({ directory }) =>
          directory.recordOf(npiOf(0))?.name?.last === [...seen][0],
      );
      assert.equal(answer.headers["snapshot"], state?.directory.id);
    }
    assert.ok(swaps > 2, "it was swapped while batches were answered");
  } finally {
    for (const { directory, registry } of states) {
      directory[Symbol.dispose]();
      registry[Symbol.dispose]();
    }
  }
});

test("a thousand commas are refused; 499 are 500 numbers that cost nothing", async () => {
  await using service = await startHttpService();
  const before = await remaining(service);
  const many = await service.get(`${PATH}?npi=${",".repeat(1_000)}`);
  assert.equal(many.statusCode, 400);
  assert.deepEqual(badParameters(many.body), ["npi invalid_parameter"]);
  assert.ok(many.body.length < 1_000);
  const most = (await service.get(`${PATH}?npi=${",".repeat(499)}`)).json();
  assert.equal(most.meta.count, 500);
  assert.equal(most.meta.counted, 0);
  assert.equal(await remaining(service), before);
});

test("8 KB of digits are one malformed number", async () => {
  await using service = await startHttpService();
  const digits = "1".repeat(8_000);
  const { data, meta } = (await service.get(`${PATH}?npi=${digits}`)).json();
  assert.deepEqual(data, [
    { npi: digits, verdict: "malformed", provider: null, replaced_by: null },
  ]);
  assert.equal(meta.counted, 0);
});

test("line ends and markup come back only as JSON", async () => {
  await using service = await startHttpService();
  const text = '"\r\nX-Evil: 1</script>';
  const answer = await service.get(
    `${PATH}?npi=${encodeURIComponent(text)},${SAMPLE.person}`,
  );
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.headers["x-evil"], undefined);
  assert.equal(answer.json().data[0].npi, text);
  assert.doesNotMatch(answer.body, /[\r\n]/);
});

test("500 typos have suggestions, count nothing, and leave the month as it is", async () => {
  await using service = await startHttpService();
  const before = await remaining(service);
  const typo = `${SAMPLE.person.slice(0, 9)}${(Number(SAMPLE.person[9]) + 1) % 10}`;
  const typos = Array.from({ length: 500 }, () => typo).join(",");
  const { data, meta } = (await service.get(`${PATH}?npi=${typos}`)).json();
  assert.equal(meta.counted, 0);
  for (const { suggestions } of data)
    assert.ok(suggestions.includes(SAMPLE.person));
  assert.equal(await remaining(service), before);
});

test("a key whose month is used up gets no verdicts, not even free ones", async () => {
  await using service = await startHttpService();
  const ask = (npis: readonly string[]) =>
    service.ask({
      url: `${PATH}?npi=${npis.join(",")}`,
      headers: { authorization: `Bearer ${service.freeKey}` },
    });
  const half = Array.from({ length: 500 }, () => SAMPLE.person);
  assert.equal((await ask(half)).statusCode, 200);
  assert.equal((await ask(half)).statusCode, 200);
  for (const npis of [[SAMPLE.person], half, ["1"], ["1", SAMPLE.absent]]) {
    const refused = await ask(npis);
    assert.equal(refused.statusCode, 429);
    assert.equal(errorOf(refused.body).code, "quota_exceeded");
    assert.doesNotMatch(refused.body, /active|not_found|malformed/);
  }
});
