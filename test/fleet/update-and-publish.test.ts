import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { test } from "node:test";
import {
  readUpdateOptions,
  updateVariables,
  UPDATE_SETTINGS,
} from "../../src/cli/settings/update-settings.ts";
import { PUBLISH_SETTINGS } from "../../src/cli/settings/fleet-settings.ts";
import { DATA_DIR } from "../../src/cli/settings/settings.ts";
import { readPublicationFile } from "../../src/fleet/manifest.ts";
import { openStore } from "../../src/fleet/objects/open-store.ts";
import { SettingReader } from "../../src/settings/setting-reader.ts";
import {
  FULL,
  Installation,
  UpdateSource,
} from "../cli/commands/update-source.ts";
import { succeeded } from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import { NEVER, NO_ENVIRONMENT } from "./fleet-folders.ts";

test("update --publish publishes what it imported, and what an update before left unpublished", async () => {
  await using source = await UpdateSource.start([FULL]);
  using here = new Installation();
  using folder = temporaryFolder();
  const url = pathToFileURL(folder.path).href;
  using objects = await openStore({ url, environment: NO_ENVIRONMENT });
  const published = async () =>
    (await readPublicationFile(objects, NEVER))?.snapshot ?? null;
  await succeeded(here.update(source));
  assert.equal(await published(), null);
  const args = ["--publish", "--snapshot-store", url];
  assert.match(
    await succeeded(here.update(source, ...args)),
    /Uploaded publication 1/,
  );
  assert.equal(await published(), here.store.currentId());
  assert.match(
    await succeeded(here.update(source, ...args)),
    /Nothing to publish/,
  );
});

test("update --publish without a store is refused before anything is downloaded", async () => {
  await using source = await UpdateSource.start([FULL]);
  using here = new Installation();
  const { code, err } = await here.update(source, "--publish");
  assert.equal(code, 2);
  assert.match(
    err,
    /--publish needs --snapshot-store URL \(or set SNAPSHOT_STORE\)/,
  );
  assert.equal(source.server.asked.length, 0);
});

test("updates that serve starts get the settings to publish with", () => {
  const known = [
    ...new Set([DATA_DIR, ...UPDATE_SETTINGS, ...PUBLISH_SETTINGS]),
  ];
  const flags = new Map([
    ["publish", "true"],
    ["snapshot-store", "s3://bucket/prefix"],
    ["publish-wait", "30"],
    ["node-name", "importer"],
    ["database-url", "postgres://user@host/db"],
  ]);
  const options = readUpdateOptions(new SettingReader({}, flags, known));
  const again = readUpdateOptions(
    new SettingReader(updateVariables(options), new Map(), known),
  );
  assert.deepEqual(again.publish, options.publish);
  const without = readUpdateOptions(new SettingReader({}, new Map(), known));
  assert.equal(updateVariables(without)["PUBLISH"], "false");
});
