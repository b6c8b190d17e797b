import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  brotliCompressSync,
  brotliDecompressSync,
  gunzipSync,
  gzipSync,
} from "node:zlib";
import { BuiltSite } from "../../../src/http/pages/built-site.ts";
import {
  readBuild,
  type FileEncoding,
  type SiteFile,
} from "../../../src/http/pages/site-files.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";

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
  const site = new BuiltSite(readBuild(folder), null);
  const read = async (name: string) =>
    (await readAs(site.asset(name), null))?.toString() ?? null;
  assert.equal(site.page(null, "head").html, "now head");
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
  writeFileSync(join(folder, "assets", "map.js.gz"), "encoded");
  const asset = new BuiltSite(readBuild(folder), null).asset("map.js");
  assert.ok(asset !== null);
  for (const encoding of [null, "gzip"] as const) {
    const read: (Buffer | null)[] = await Promise.all(
      Array.from({ length: 600 }, () => readAs(asset, encoding)),
    );
    assert.equal(read[0]?.toString(), encoding === null ? "map" : "encoded");
    assert.equal(new Set(read).size, 1);
    assert.equal(await readAs(asset, encoding), read[0]);
  }
});

test("a service keeps its build when its folder is gone, and finds no asset of another one that is", async () => {
  using output = temporaryFolder();
  const code = "export const map = 1;".repeat(100);
  for (const name of ["before", "now"]) {
    const assets = join(output.path, name, "assets");
    mkdirSync(assets, { recursive: true });
    writePage(join(output.path, name), name);
    writeFileSync(join(assets, `${name}.js`), code);
    writeFileSync(join(assets, `${name}.js.br`), brotliCompressSync(code));
    writeFileSync(join(assets, `${name}.js.gz`), gzipSync(code));
    writeFileSync(join(assets, `${name}.png`), "picture");
  }
  const build = readBuild(join(output.path, "now"));
  const site = new BuiltSite(build, null);
  rmSync(output.path, { recursive: true });
  const read = async (name: string, encoding: "br" | "gzip" | null) =>
    readAs(site.asset(name), encoding);
  assert.equal(await read("before.js", null), null);
  // A worker that replaces another one starts without the folder.
  for (const each of [site, new BuiltSite(build, null)]) {
    assert.match(each.page(null, "head").html, /^now /);
    const bytes = async (encoding: "br" | "gzip" | null) =>
      (await readAs(each.asset("now.js"), encoding)) ?? Buffer.of();
    assert.equal(brotliDecompressSync(await bytes("br")).toString(), code);
    assert.equal(gunzipSync(await bytes("gzip")).toString(), code);
    assert.equal((await bytes(null)).toString(), code);
    assert.equal(String(await readAs(each.asset("now.png"), null)), "picture");
  }
});

/** The bytes of a file in an encoding; null without it. */
async function readAs(
  file: SiteFile | null,
  encoding: FileEncoding | null,
): Promise<Buffer | null> {
  const form = file?.forms.find((each) => each.encoding === encoding);
  return (await form?.read()) ?? null;
}

/** What every build has at least. */
function writePage(folder: string, text: string): void {
  const general = '<meta name="description" content="" /><title></title>';
  writeFileSync(join(folder, "index.html"), `${text} ${general}`);
  writeFileSync(join(folder, "manifest.json"), "{}");
}
