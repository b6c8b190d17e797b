import assert from "node:assert/strict";
import test from "node:test";
import { badParameters, errorOf } from "../../support/program/http-error.ts";
import { startHttpService } from "../../support/service/http-service.ts";
import { SAMPLE } from "../../support/service/sample-directory.ts";

const SOURCE = "NPPES (CMS), full file 2026-11-09";

test("a lookup returns the record with the specified fields in the specified order", async () => {
  await using service = await startHttpService();
  const { statusCode, headers, body } = await service.get(
    `/v1/providers/${SAMPLE.person}`,
  );
  assert.equal(statusCode, 200);
  assert.equal(headers["content-type"], "application/json; charset=utf-8");
  assert.equal(
    body,
    JSON.stringify({
      data: {
        npi: SAMPLE.person,
        entity_type: "individual",
        name: {
          first: "MARIA",
          middle: "ANN",
          last: "O'BRIEN",
          credential: "MD",
        },
        organization_name: null,
        status: "active",
        enumeration_date: "2012-03-05",
        last_updated: "2025-08-19",
        deactivation_date: null,
        primary_taxonomy: {
          code: "207Q00000X",
          description: "Family Medicine Physician",
        },
        practice_address: {
          address_1: "100 INVENTED AVE",
          address_2: "STE 2",
          city: "ST. LOUIS",
          state: "MO",
          postal_code: "631011234",
          country: "US",
        },
      },
      meta: { source: SOURCE },
    }),
  );
});

test("an organization has no name, an individual no organization name; a code without a display name has none", async () => {
  await using service = await startHttpService();
  const { data } = (
    await service.get(`/v1/providers/${SAMPLE.organization}`)
  ).json();
  assert.equal(data.entity_type, "organization");
  assert.equal(data.name, null);
  assert.equal(data.organization_name, "LAKESIDE INVENTED CLINIC");
  assert.deepEqual(data.primary_taxonomy, {
    code: "999X00000X",
    description: null,
  });
});

test("all fields of a withheld NPI except the number, status and date are null", async () => {
  await using service = await startHttpService();
  const { data } = (
    await service.get(`/v1/providers/${SAMPLE.withheld}`)
  ).json();
  assert.deepEqual(data, {
    npi: SAMPLE.withheld,
    entity_type: null,
    name: null,
    organization_name: null,
    status: "deactivated",
    enumeration_date: null,
    last_updated: null,
    deactivation_date: "2019-06-30",
    primary_taxonomy: null,
    practice_address: null,
  });
});

test("an address whose fields are all null is null", async () => {
  await using service = await startHttpService();
  const { data } = (await service.get(`/v1/providers/${SAMPLE.bare}`)).json();
  assert.equal(data.practice_address, null);
  assert.equal(data.primary_taxonomy, null);
  assert.deepEqual(data.name, {
    first: null,
    middle: null,
    last: "NOBODY-EXAMPLE",
    credential: null,
  });
});

test("a valid NPI that is not in the registry is provider_not_found, whatever its first digit", async () => {
  await using service = await startHttpService();
  for (const npi of [SAMPLE.absent, "1000000004", "9999999995", "0000000006"]) {
    const { statusCode, body } = await service.get(`/v1/providers/${npi}`);
    const { code, message } = errorOf(body);
    assert.deepEqual([npi, statusCode, code], [npi, 404, "provider_not_found"]);
    assert.ok(message.includes(npi));
  }
});

test("an NPI that is not 10 digits or fails its check digit is invalid_npi, and the message says which", async () => {
  await using service = await startHttpService();
  const wrongDigit = SAMPLE.person.slice(0, 9) + "9";
  for (const [npi, message] of [
    ["123", /10 digits/],
    ["20000000100", /10 digits/],
    ["200000001O", /10 digits/],
    ["2000000010%20", /10 digits/],
    ["%202000000010", /10 digits/],
    ["2000000010%0A", /10 digits/],
    ["2000000010%2Fx", /10 digits/],
    ["٢٠٠٠٠٠٠٠١٠", /10 digits/],
    ["1".repeat(3_000), /10 digits/],
    ["searching", /10 digits/],
    [wrongDigit, /check digit/],
    ["1234567890", /check digit/],
  ] as const) {
    const { statusCode, body } = await service.get(
      `/v1/providers/${encodeURI(npi).replaceAll("%25", "%")}`,
    );
    const error = errorOf(body);
    assert.deepEqual(
      [npi, statusCode, error.code, error.param],
      [npi, 400, "invalid_npi", "npi"],
    );
    assert.match(error.message, message);
  }
});

test("an invalid NPI is an error even while no data is loaded", async () => {
  await using service = await startHttpService();
  service.data.directory = null;
  const { body } = await service.get("/v1/providers/123");
  assert.equal(errorOf(body).code, "invalid_npi");
});

test("a lookup accepts no query parameter except include", async () => {
  await using service = await startHttpService();
  for (const query of ["fields=npi", "limit=1", "x", "x="]) {
    const { body } = await service.get(
      `/v1/providers/${SAMPLE.person}?${query}`,
    );
    assert.equal(errorOf(body).code, "invalid_parameter");
  }
  const { statusCode } = await service.get(`/v1/providers/${SAMPLE.person}?`);
  assert.equal(statusCode, 200);
});

test("a bad NPI comes before bad parameters, and both are listed", async () => {
  await using service = await startHttpService();
  const { body } = await service.get("/v1/providers/123?foo=1&foo=2&bar=");
  assert.equal(errorOf(body).code, "invalid_npi");
  assert.equal(errorOf(body).param, "npi");
  assert.deepEqual(badParameters(body), [
    "npi invalid_npi",
    "foo invalid_parameter",
    "bar invalid_parameter",
  ]);
});
