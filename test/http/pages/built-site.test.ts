import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BuiltSite } from "../../../src/http/pages/built-site.ts";
import { temporaryFolder } from "../../support/program/program.ts";

test("assets of earlier builds are served to pages opened before an upgrade", async () => {
  using output = temporaryFolder();
  const build = (name: string, assets: Readonly<Record<string, string>>) => {
    mkdirSync(join(output.path, name, "assets"), { recursive: true });
    writePage(join(output.path, name), name);
    for (const [asset, text] of Object.entries(assets))
      writeFileSync(join(output.path, name, "assets", asset), text);
    return join(output.path, name);
  };
  build("before", { "guide-1.js": "1", "same-0.js": "before" });
  build(".unfinished", { "guide-3.js": "3" });
  const folder = build("now", { "guide-2.js": "2", "same-0.js": "now" });
  const site = new BuiltSite(folder);
  const read = async (name: string) =>
    (await site.asset(name)?.read(null))?.toString() ?? null;
  assert.equal(site.page.fill(null, "head").html, "now head");
  assert.equal(await read("guide-1.js"), "1");
  assert.equal(await read("guide-2.js"), "2");
  assert.equal(await read("guide-3.js"), null);
  assert.equal(await read("same-0.js"), "now");
});

test("concurrent requests for an asset share its bytes", async () => {
  using output = temporaryFolder();
  const folder = join(output.path, "now");
  mkdirSync(join(folder, "assets"), { recursive: true });
  writePage(folder, "");
  writeFileSync(join(folder, "assets", "map.js"), "map");
  writeFileSync(join(folder, "assets", "map.js.br"), "encoded");
  const asset = new BuiltSite(folder).asset("map.js");
  assert.ok(asset !== null);
  for (const encoding of [null, "br"] as const) {
    const read: readonly Buffer[] = await Promise.all(
      Array.from({ length: 600 }, () => asset.read(encoding)),
    );
    assert.equal(read[0]?.toString(), encoding === null ? "map" : "encoded");
    assert.equal(new Set(read).size, 1);
    assert.equal(await asset.read(encoding), read[0]);
  }
});

/** What every build has at least. */
function writePage(folder: string, text: string): void {
  const general = '<meta name="description" content="" /><title></title>';
  writeFileSync(join(folder, "index.html"), `${text} ${general}`);
  writeFileSync(join(folder, "manifest.json"), "{}");
}
