import assert from "node:assert/strict";
import test from "node:test";
import type { BatchEntry } from "../../../src/contract/answers.ts";
import { badParameters, errorOf } from "../../support/pure/http-error.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import { SAMPLE } from "../../support/pure/engine/sample-directory.ts";

const PATH = "/v1/providers";
const SOURCE = "NPPES (CMS), full file 2026-11-09";

/** An NPI with its last two digits swapped, which must differ. */
function mistyped(npi: string): string {
  assert.notEqual(npi[8], npi[9]);
  return npi.slice(0, 8) + npi[9] + npi[8];
}

function numbers(count: number, comma: string): string {
  return Array.from({ length: count }, () => SAMPLE.person).join(comma);
}

async function remaining(
  service: Awaited<ReturnType<typeof startHttpService>>,
): Promise<number> {
  const { headers } = await service.get("/v1/changes?limit=0");
  return Number(headers["x-ratelimit-remaining"]);
}

test("a batch has an entry for each number, in the order sent, with the record of a lookup", async () => {
  await using service = await startHttpService();
  const typo = mistyped(SAMPLE.person);
  const asked = [
    SAMPLE.organization,
    SAMPLE.absent,
    typo,
    "12345",
    SAMPLE.withheld,
    "",
    SAMPLE.organization,
    'é"<',
  ];
  const answer = await service.get(
    `${PATH}?npi=${encodeURIComponent(asked.join(","))}`,
  );
  assert.equal(answer.statusCode, 200);
  const { data, meta } = answer.json();
  assert.deepEqual(
    data.map(({ npi, verdict }: BatchEntry) => [npi, verdict]),
    [
      [SAMPLE.organization, "active"],
      [SAMPLE.absent, "not_found"],
      [typo, "invalid_check_digit"],
      ["12345", "malformed"],
      [SAMPLE.withheld, "deactivated"],
      ["", "malformed"],
      [SAMPLE.organization, "active"],
      ['é"<', "malformed"],
    ],
  );
  assert.deepEqual(meta, { count: 8, counted: 4, source: SOURCE });
  for (const { npi, provider, replaced_by, suggestions, verdict } of data) {
    assert.equal(replaced_by, null);
    assert.equal(suggestions !== undefined, verdict === "invalid_check_digit");
    const isKnown = verdict === "active" || verdict === "deactivated";
    if (!isKnown) assert.equal(provider, null);
    else
      assert.deepEqual(
        provider,
        (await service.get(`${PATH}/${npi}`)).json().data,
      );
  }
  assert.equal(data[2].suggestions[0], SAMPLE.person);
  assert.ok(data[2].suggestions.length <= 5);
});

test("spaces around a number are ignored", async () => {
  await using service = await startHttpService();
  const { organization, person } = SAMPLE;
  const ask = (npi: string) => service.get(`${PATH}?npi=${npi}`);
  const spaced = await ask(`%20${organization},+${person}%20,%20`);
  assert.equal(spaced.statusCode, 200, spaced.body);
  const plain = await ask(`${organization},${person},`);
  assert.deepEqual(spaced.json(), plain.json());
});

test("include adds to each record what it adds to a lookup", async () => {
  await using service = await startHttpService();
  for (const include of ["taxonomies,identity", "ALL"]) {
    const { data } = (
      await service.get(
        `${PATH}?npi=${SAMPLE.person},${SAMPLE.withheld}&include=${include}`,
      )
    ).json();
    for (const { npi, provider } of data)
      assert.deepEqual(
        provider,
        (await service.get(`${PATH}/${npi}?include=${include}`)).json().data,
      );
  }
});

test("each number that was looked up counts, in usage by operation too", async () => {
  await using service = await startHttpService();
  const before = await remaining(service);
  const { headers } = await service.get(
    `${PATH}?npi=${SAMPLE.person},${SAMPLE.person},${SAMPLE.absent},1,${mistyped(SAMPLE.person)}`,
  );
  assert.equal(Number(headers["x-ratelimit-remaining"]), before - 3);
  const free = await service.get(`${PATH}?npi=1,2,x`);
  assert.equal(free.statusCode, 200);
  assert.equal(await remaining(service), before - 3);
  await service.write();
  const listed = await service.installation.accounts.keys.list();
  assert.ok(listed.outcome === "listed");
  assert.ok(listed.keys.some(({ usedThisMonth }) => usedThisMonth === 3));
});

test("a batch that the month doesn't allow is refused as a whole, counts nothing, and says what is left", async () => {
  await using service = await startHttpService();
  const ask = (count: number) =>
    service.ask({
      url: `${PATH}?npi=${Array.from({ length: count }, () => SAMPLE.person).join(",")}`,
      headers: { authorization: `Bearer ${service.freeKey}` },
    });
  assert.equal((await ask(500)).statusCode, 200);
  assert.equal((await ask(400)).statusCode, 200);
  const refused = await ask(101);
  assert.equal(refused.statusCode, 429);
  const { code, message } = errorOf(refused.body);
  assert.equal(code, "quota_exceeded");
  assert.match(
    message,
    /^This request counts as 101, and only 100 of 1000 are left this month\./,
  );
  assert.equal(refused.headers["x-ratelimit-remaining"], "100");
  assert.ok(Number(refused.headers["retry-after"]) > 0);
  const last = await ask(100);
  assert.equal(last.statusCode, 200);
  assert.equal(last.headers["x-ratelimit-remaining"], "0");
  const none = await service.ask({
    url: `${PATH}?npi=1`,
    headers: { authorization: `Bearer ${service.freeKey}` },
  });
  assert.equal(errorOf(none.body).code, "quota_exceeded", "nothing to count");
  assert.match(errorOf(none.body).message, /^All 1000 requests/);
});

test("500 numbers are the most, and fit the URL even with encoded commas", async () => {
  await using service = await startHttpService();
  for (const comma of [",", "%2C"]) {
    const { data, meta } = (
      await service.get(`${PATH}?npi=${numbers(500, comma)}`)
    ).json();
    assert.equal(data.length, 500);
    assert.equal(meta.counted, 500);
    assert.equal(
      new Set(data.map((each: unknown) => JSON.stringify(each))).size,
      1,
    );
  }
  const before = await remaining(service);
  const { body, statusCode } = await service.get(
    `${PATH}?npi=${numbers(501, ",")}`,
  );
  assert.equal(statusCode, 400);
  assert.deepEqual(badParameters(body), ["npi invalid_parameter"]);
  const commas = await service.get(`${PATH}?npi=${",".repeat(8_000)}`);
  assert.equal(commas.statusCode, 400);
  assert.ok(commas.body.length < 1_000);
  const long = await service.get(`${PATH}?npi=${"1".repeat(9_000)}`);
  assert.equal(long.statusCode, 414);
  assert.equal(await remaining(service), before);
});

test("an entity tag proves the same batch for free; HEAD counts like GET", async () => {
  await using service = await startHttpService();
  const url = `${PATH}?npi=${SAMPLE.person},${SAMPLE.absent}`;
  const { headers } = await service.get(url);
  const before = await remaining(service);
  const again = await service.get(url, {
    "if-none-match": String(headers.etag),
  });
  assert.equal(again.statusCode, 304);
  assert.equal(await remaining(service), before);
  const other = await service.get(
    `${PATH}?npi=${SAMPLE.absent},${SAMPLE.person}`,
  );
  assert.notEqual(other.headers.etag, headers.etag);
  const claimed = await service.get(url, { "if-none-match": "*" });
  assert.equal(claimed.statusCode, 304);
  assert.equal(await remaining(service), before - 4);
  const head = await service.ask({
    method: "HEAD",
    url,
    headers: { authorization: `Bearer ${service.paidKey}` },
  });
  assert.equal(head.statusCode, 200);
  assert.equal(head.body, "");
  assert.equal(await remaining(service), before - 6);
});

test("snapshot pins the data", async () => {
  await using service = await startHttpService();
  const { directory } = service.data;
  assert.ok(directory !== null);
  const npis = Array.from({ length: 500 }, () => SAMPLE.person).join(",");
  const pinned = `${PATH}?npi=${npis}&snapshot=${directory.id}`;
  const asked = [service.get(pinned), service.get(`${PATH}?npi=${npis}`)];
  for (const answer of await Promise.all(asked)) {
    assert.equal(answer.statusCode, 200);
    const verdicts = new Set(
      answer.json().data.map(({ verdict }: BatchEntry) => verdict),
    );
    assert.equal(verdicts.size, 1);
  }
  const gone = await service.get(
    `${PATH}?npi=${SAMPLE.person}&snapshot=20250101T000000000Z`,
  );
  assert.equal(errorOf(gone.body).code, "snapshot_gone");
});
