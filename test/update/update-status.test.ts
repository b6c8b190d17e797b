import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import {
  readUpdateStatus,
  writeUpdateStatus,
  type UpdateStatus,
} from "../../src/update/update-status.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";

suite("the status of scheduled updates", () => {
  test("is read as it was written", () => {
    using folder = temporaryFolder();
    const status: UpdateStatus = {
      schedule: "0 6 * * *",
      zone: "America/New_York",
      nextAt: "2026-11-22T11:00:00.000Z",
      lastStartedAt: "2026-11-21T11:00:00.000Z",
      lastFinishedAt: null,
      lastOutcome: "failed",
      lastMessage: "The disk is full.",
    };
    writeUpdateStatus(folder.path, status);
    assert.deepEqual(readUpdateStatus(folder.path), status);
    writeUpdateStatus(folder.path, { ...status, lastOutcome: null });
    assert.equal(readUpdateStatus(folder.path)?.lastOutcome, null);
    assert.deepEqual(readdirSync(folder.path), ["update-status.json"]);
  });

  test("is unknown without a file, or with an invalid one", () => {
    using folder = temporaryFolder();
    assert.equal(readUpdateStatus(folder.path), null);
    for (const text of ["", "{", "null", "[]", '{"schedule":5}']) {
      writeFileSync(join(folder.path, "update-status.json"), text);
      assert.equal(readUpdateStatus(folder.path), null, text);
    }
  });
});
