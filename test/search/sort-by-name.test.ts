import assert from "node:assert/strict";
import test from "node:test";
import { unpackRelease } from "../fixtures/make-release.ts";
import { errorOf } from "../support/pure/http-error.ts";
import {
  FULL,
  npiOf,
  person,
  SmallRegistry,
} from "../support/pure/registry/small-registry.ts";
import { startHttpService } from "../support/app/http-service.ts";

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

test("data that an earlier version imported have no order by name; the next import brings it", async () => {
  using registry = new SmallRegistry();
  unpackRelease("1.0.0", registry.store.dataDir);
  await using service = await startHttpService();
  const paths = ["search?", "nearby?zip=60601&", "export?"].map(
    (operation) => `/v1/providers/${operation}sort=name`,
  );
  {
    using directory = registry.directory();
    service.data.directory = directory;
    for (const path of paths) {
      const { body, statusCode } = await service.get(path);
      assert.equal(statusCode, 400);
      assert.equal(errorOf(body).code, "details_not_held");
      assert.match(
        errorOf(body).message,
        /sort=name isn't available yet: this installation stores the order by name from its next import on/,
      );
    }
  }
  await registry.import("npidata_pfile_20261214-20261220.csv", [person(9)]);
  using directory = registry.directory();
  service.data.directory = directory;
  for (const path of paths)
    assert.equal((await service.get(path)).statusCode, 200);
});
