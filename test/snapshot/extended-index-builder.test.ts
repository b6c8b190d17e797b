import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, truncateSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import {
  buildExtendedInBackground,
  type ExtendedTask,
} from "../../src/snapshot/extended/extended-index-builder.ts";
import { extendedPath } from "../../src/snapshot/container/shared-file.ts";
import { importZip } from "../support/pure/registry/registry-zip.ts";
import {
  SmallRegistry,
  withheld,
} from "../support/pure/registry/small-registry.ts";
import {
  FULL_PERIOD,
  WIDENED,
} from "../support/pure/registry/widened-registry.ts";

const HERE = Number.POSITIVE_INFINITY;
const IN_THREAD = 0;

async function widened() {
  const registry = new SmallRegistry();
  await importZip(registry, FULL_PERIOD, WIDENED);
  const task: ExtendedTask = {
    detailsPath: registry.detailsPath(),
    taxonomyNames: new Map([["163W00000X", "Registered Nurse"]]),
  };
  return {
    registry,
    task,
    snapshot: registry.store.pathOf(registry.store.currentId() ?? "none"),
    [Symbol.dispose]: () => registry[Symbol.dispose](),
  };
}

/** Copies a snapshot without its extended index into a separate folder, and returns its path. */
function copyOf(registry: SmallRegistry, path: string, name: string): string {
  const folder = join(registry.folder, name);
  mkdirSync(folder);
  const copy = join(folder, basename(path));
  copyFileSync(path, copy);
  return copy;
}

describe("an extended index built in a thread", () => {
  it("equals one built without a thread", async () => {
    using made = await widened();
    const { registry, snapshot, task } = made;
    const written = async (least: number): Promise<Buffer> => {
      const copy = copyOf(registry, snapshot, String(least));
      await using extended = buildExtendedInBackground(task, 4, least);
      await extended.write(copy);
      return readFileSync(extendedPath(copy));
    };
    assert.deepEqual(await written(IN_THREAD), await written(HERE));
  });

  it("equals that of an import with repeated rows, and rows without details", async () => {
    using registry = new SmallRegistry();
    const rows = [
      withheld(5, "01/01/2020"),
      ...WIDENED.rows.toReversed(),
      withheld(3, "01/01/2020"),
      ...WIDENED.rows.slice(0, 2),
    ];
    await importZip(
      registry,
      FULL_PERIOD,
      { ...WIDENED, rows },
      { details: new Set(["taxonomies", "other_names", "locations"]) },
    );
    const path = registry.store.pathOf(registry.store.currentId() ?? "none");
    const task: ExtendedTask = {
      detailsPath: registry.detailsPath(),
      taxonomyNames: new Map([["207Q00000X", "Family Medicine Physician"]]),
    };
    await using extended = buildExtendedInBackground(task, 4, HERE);
    const copy = copyOf(registry, path, "copy");
    await extended.write(copy);
    assert.deepEqual(
      readFileSync(extendedPath(copy)),
      readFileSync(extendedPath(path)),
    );
  });

  it("fails as without one, for damaged details and system errors", async () => {
    using made = await widened();
    const { registry, snapshot, task } = made;
    for (const least of [HERE, IN_THREAD]) {
      await using extended = buildExtendedInBackground(task, 4, least);
      const nowhere = join(registry.folder, "nowhere", "a.snapshot");
      await assert.rejects(async () => extended.write(nowhere), {
        code: "ENOENT",
        path: nowhere,
      });
    }
    truncateSync(task.detailsPath, 100);
    for (const least of [HERE, IN_THREAD]) {
      await using extended = buildExtendedInBackground(task, 4, least);
      await assert.rejects(async () => extended.write(snapshot), {
        name: "SnapshotFormatError",
        message: /import again/,
      });
    }
  });

  it("stops when it is disposed, also after a request", async () => {
    using made = await widened();
    {
      await using extended = buildExtendedInBackground(made.task, 4, IN_THREAD);
      assert.ok(extended);
    }
    {
      await using extended = buildExtendedInBackground(made.task, 4, IN_THREAD);
      void extended.write(made.snapshot);
    }
    // An unhandled rejection would end the program and fail this test.
    await setImmediate();
  });
});
