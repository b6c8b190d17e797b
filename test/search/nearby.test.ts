import assert from "node:assert/strict";
import { test } from "node:test";
import { CROWD, sampleDirectory } from "../support/service/sample-directory.ts";

const AROUND = { center: { lat: 39.77, lng: -89.69 }, radius: 500 };

test("a nearby search by type only finds all of them, however few providers there are", async () => {
  using directory = await sampleDirectory();
  const { total } = directory.nearby.first(
    { ...AROUND, entity_type: "individual", limit: 100, page: 1 },
    1,
  );
  const pages = [1, 2, 3].map((page) =>
    directory.near({
      ...AROUND,
      entity_type: "individual",
      limit: 100,
      page,
    }),
  );
  assert.ok(total > CROWD);
  assert.deepEqual(
    pages.map((page) => page.length),
    [100, total - 100, 0],
  );
  for (const { entity_type: type } of pages.flat())
    assert.equal(type, "individual");
});
