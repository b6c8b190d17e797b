import assert from "node:assert/strict";
import { test } from "node:test";
import { DatabaseSync } from "node:sqlite";
import { changesFile } from "../../../src/changes/database.ts";
import { ChangingRegistry } from "../../support/pure/registry/changing-registry.ts";
import {
  FULL,
  npiOf,
  person,
  withheld,
} from "../../support/pure/registry/small-registry.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import { portalParts } from "../../support/app/portal-parts.ts";

const WEEK_1 = "npidata_pfile_20261109-20261115.csv";
const WEEK_2 = "npidata_pfile_20261116-20261122.csv";
const MAILING = "Provider First Line Business Mailing Address";

test("a look-up of the explorer lists what imports changed, newest first, but no values that are withheld", async () => {
  using registry = new ChangingRegistry();
  const all = Array.from({ length: 4 }, (_, index) => person(index));
  await registry.import(FULL, "2026-11-10", all);
  await registry.import(WEEK_1, "2026-11-17", [
    { ...person(1, { first: "OTHER" }), [MAILING]: "PO BOX 2" },
    { ...person(2), [MAILING]: "PO BOX 3" },
  ]);
  await registry.import(WEEK_2, "2026-11-24", [
    person(1, { first: "THIRD" }),
    withheld(3, "11/18/2026"),
    withheld(9, "11/18/2026"),
  ]);
  await using service = await startHttpService({
    changesOf: registry.store.dataDir,
    portal: await portalParts({ explorer: "open" }),
  });
  service.data.directory = registry.registry.directory();
  const historyOf = async (npi: string) => {
    const answer = await service.ask({ url: `/explore/providers/${npi}` });
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json().history;
  };
  const [second, first, ...more] = await historyOf(npiOf(1));
  assert.deepEqual(more, []);
  assert.deepEqual([second.date, first.date], ["2026-11-24", "2026-11-17"]);
  assert.deepEqual([second.kind, first.kind], ["changed", "changed"]);
  assert.deepEqual(nameOf(second), {
    field: "name.first",
    old: "OTHER",
    new: "THIRD",
  });
  assert.deepEqual(await historyOf(npiOf(0)), []);
  const [mail] = await historyOf(npiOf(2));
  assert.deepEqual(mail.fields, [
    { field: "mailing_address.address_1", old: null, new: "PO BOX 3" },
  ]);
  assert.deepEqual(await historyOf(npiOf(9)), [
    { date: "2026-11-24", kind: "added", fields: [] },
  ]);
  // A database of an earlier version isn't indexed: reading it whole would take too long.
  using database = new DatabaseSync(changesFile(registry.store.dataDir));
  database.exec("DROP INDEX change_by_npi");
  assert.deepEqual(await historyOf(npiOf(1)), []);
});

/** How an entry changed the first name. */
function nameOf({ fields }: { readonly fields: readonly object[] }) {
  return fields.find((each) => "field" in each && each.field === "name.first");
}
