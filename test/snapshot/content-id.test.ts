import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { contentId } from "../../src/snapshot/content-id.ts";
import { DetailsReader } from "../../src/snapshot/details/details-reader.ts";
import { Snapshot } from "../../src/snapshot/snapshot.ts";
import {
  FULL,
  people,
  SmallRegistry,
} from "../support/pure/registry/small-registry.ts";

/** The content ID of what a data folder serves. */
function contentOf({ store }: SmallRegistry): string {
  const id = store.currentId() ?? "none";
  using details = new DetailsReader(store.detailsPathOf(id));
  return contentId(new Snapshot(store.share(id)), details);
}

suite("the content ID of a snapshot", () => {
  test("is the same for two imports of the same files, whenever and in whichever data folder", async () => {
    using one = new SmallRegistry();
    using other = new SmallRegistry();
    for (const [registry, day] of [
      [one, 1],
      [other, 2],
    ] as const) {
      const now = () => Date.UTC(2026, 10, day);
      await registry.import(FULL, people(3), { now });
      await registry.import("npidata_pfile_20261109-20261115.csv", people(5), {
        now,
      });
    }
    assert.notEqual(one.store.currentId(), other.store.currentId());
    assert.equal(contentOf(one), contentOf(other));
  });

  test("differs with the records, the details kept, the names of files, and for demo data", async () => {
    const ids = new Set<string>();
    for (const [name, rows, options] of [
      [FULL, people(3), {}],
      [FULL, people(4), {}],
      [FULL, people(3), { demo: true }],
      [FULL, people(3), { details: new Set(["taxonomies"] as const) }],
      ["npidata_pfile_20050523-20261109.csv", people(3), {}],
    ] as const) {
      using registry = new SmallRegistry();
      await registry.import(name, rows, options);
      ids.add(contentOf(registry));
    }
    assert.equal(ids.size, 5);
  });
});
