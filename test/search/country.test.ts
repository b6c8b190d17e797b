import assert from "node:assert/strict";
import test from "node:test";
import { badParameters } from "../support/program/http-error.ts";
import {
  FULL,
  npiOf,
  person,
  SmallRegistry,
} from "../support/registry/small-registry.ts";
import { startHttpService } from "../support/service/http-service.ts";

const COUNTRIES = ["US", "CA", "ca", "", "PR", "CANADA"];

test("country finds providers by the code of their practice address, in any case, in searches and exports", async () => {
  using registry = new SmallRegistry();
  await registry.import(
    FULL,
    COUNTRIES.map((country, number) => person(number, { country })),
  );
  using directory = registry.directory();
  await using service = await startHttpService();
  service.data.directory = directory;
  const find = async (query: string) => {
    const page = await service.get(`/v1/providers/search?${query}`);
    assert.equal(page.statusCode, 200, page.body);
    const found: readonly { npi: string }[] = JSON.parse(page.body).data;
    const whole = await service.get(`/v1/providers/export?${query}`);
    const lines = whole.body.trim().split("\n").filter(Boolean);
    assert.equal(lines.length, found.length);
    const npis = new Set(found.map(({ npi }) => npi));
    return [...COUNTRIES.keys()].filter((number) => npis.has(npiOf(number)));
  };
  assert.deepEqual(await find("country=us"), [0]);
  assert.deepEqual(await find("country=CA"), [1, 2]);
  assert.deepEqual(await find("country=PR&last_name=example"), [4]);
  assert.deepEqual(await find("country=DE"), []);
  assert.deepEqual(await find("country="), [0, 1, 2, 3, 4, 5]);
  const { body, statusCode } = await service.get(
    "/v1/providers/search?country=USA",
  );
  assert.equal(statusCode, 400);
  assert.deepEqual(badParameters(body), ["country invalid_parameter"]);
});
