import assert from "node:assert/strict";
import test from "node:test";
import {
  FULL,
  npiOf,
  person,
  SmallRegistry,
} from "../support/registry/small-registry.ts";
import { startHttpService } from "../support/service/http-service.ts";

const organization = (number: number, name: string) =>
  person(number, { entityType: "2", last: "", first: "", organization: name });

test("sort=name: of equal names, those without a first name come first; a name that folds to nothing is first, a missing one last", async () => {
  using registry = new SmallRegistry();
  await registry.import(FULL, [
    person(0, { last: "", first: "ANN" }),
    person(1, { last: "Smith", first: "ANN" }),
    person(2, { last: "SMITH", first: "" }),
    organization(3, "SMITH"),
    person(4, { last: "SMÍTH.", first: "&" }),
    person(5, { last: "!!!", first: "ZOE" }),
    organization(6, "A & B"),
    person(7, { last: "", first: "" }),
  ]);
  using directory = registry.directory();
  await using service = await startHttpService();
  service.data.directory = directory;
  for (const path of ["search?", "nearby?zip=60601&"]) {
    const { body } = await service.get(`/v1/providers/${path}sort=name`);
    assert.deepEqual(
      JSON.parse(body).data.map(({ npi }: { npi: string }) => npi),
      [5, 6, 2, 3, 4, 1, 7, 0].map(npiOf),
    );
  }
});
