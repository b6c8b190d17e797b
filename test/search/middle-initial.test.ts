import assert from "node:assert/strict";
import test from "node:test";
import { unpackRelease } from "../fixtures/make-release.ts";
import { badParameters, errorOf } from "../support/pure/http-error.ts";
import { writeReport } from "../support/pure/registry/deactivation-report.ts";
import {
  FULL,
  npiOf,
  person,
  SmallRegistry,
} from "../support/pure/registry/small-registry.ts";
import { startHttpService } from "../support/app/http-service.ts";

const WEEK = "npidata_pfile_20261214-20261220.csv";
const MIDDLE_NAMES = ["QUINCY", "q.", "Édith", "'ANNE", "3RD", "", "-Quentin"];

test("middle_initial finds each letter, wherever the document is", async () => {
  using registry = new SmallRegistry();
  const initials = Array.from(
    { length: 101 },
    (_, number) => " ABCDEFGHIJKLMNOPQRSTUVWXYZ"[(number * number) % 27]!,
  );
  await registry.import(
    FULL,
    initials.map((middle, number) => person(number, { middle })),
  );
  using directory = registry.directory();
  for (const initial of "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
    const query = { middle_initial: initial, limit: 100, page: 1 };
    const expected = initials.flatMap((each, number) =>
      each === initial ? [npiOf(number)] : [],
    );
    const { entries, total } = directory.found(query);
    assert.equal(total, expected.length, initial);
    assert.deepEqual(
      entries.map(({ npi }) => npi),
      expected,
    );
  }
});

test("middle_initial takes one letter from A to Z", async () => {
  await using service = await startHttpService();
  for (const operation of ["search", "nearby", "export"])
    for (const value of ["qu", "1", "%C3%A9", "*", "q."]) {
      const { body } = await service.get(
        `/v1/providers/${operation}?zip=63101&middle_initial=${value}`,
      );
      assert.deepEqual(badParameters(body), [
        "middle_initial invalid_parameter",
      ]);
      assert.match(body, /middle_initial must be one letter from A to Z\./);
    }
});

test("weeks and deactivations keep the initials of all others", async () => {
  using registry = new SmallRegistry();
  const rows = MIDDLE_NAMES.map((middle, number) => person(number, { middle }));
  await registry.import(FULL, rows);
  await registry.import("npidata_pfile_20261109-20261115.csv", [
    person(1, { middle: "ZELDA", city: "AURORA" }),
    person(5, { middle: "QUILL" }),
  ]);
  const name = "NPPES_Deactivated_NPI_Report_121426.zip";
  await registry.importPath(
    await writeReport(registry.folder, [[npiOf(0), "12/01/2026"]], name),
  );
  assert.deepEqual(registry.faults(), []);
  using directory = registry.directory();
  const total = (query: object) =>
    directory.found({ ...query, limit: 25, page: 1 }).total;
  assert.equal(total({ middle_initial: "q" }), 3);
  assert.equal(total({ middle_initial: "q", status: "deactivated" }), 1);
  assert.equal(total({ middle_initial: "z" }), 1);
});

test("data that an earlier version imported are served; the next import brings middle_initial", async () => {
  using registry = new SmallRegistry();
  unpackRelease("1.0.0", registry.store.dataDir);
  await using service = await startHttpService();
  const path = "/v1/providers/search?middle_initial=q&name=example";
  {
    using directory = registry.directory();
    service.data.directory = directory;
    const { body, statusCode } = await service.get(path);
    assert.equal(statusCode, 400);
    assert.equal(errorOf(body).code, "details_not_held");
    const yet =
      /can't be searched yet: this installation stores initials of middle names from its next import on/;
    assert.match(errorOf(body).message, yet);
    const { dropped } =
      directory.explore.interpreter.interpret("pat q example");
    assert.match(dropped[0]?.reason ?? "", yet);
    const others = await service.get("/v1/providers/search?name=example");
    assert.equal(others.statusCode, 200);
  }
  await registry.import(WEEK, [person(9, { middle: "QUINCY" })]);
  assert.deepEqual(registry.faults(), []);
  using directory = registry.directory();
  service.data.directory = directory;
  const { data } = (await service.get(path)).json();
  assert.deepEqual(
    data.map(({ npi }: { npi: string }) => npi),
    [npiOf(9)],
  );
});
