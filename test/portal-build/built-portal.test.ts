import assert from "node:assert/strict";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import type { PortalBuild } from "../../src/portal-build/built-portal.ts";
import { ProgramProcess, temporaryFolder } from "../support/program/program.ts";
import { rounds } from "../support/full-run.ts";
import { portalCheckout } from "../support/service/portal-checkout.ts";

function folderOf(build: PortalBuild): string {
  assert.equal(build.outcome, "built", JSON.stringify(build));
  return build.outcome === "built" ? build.folder : "";
}

test("the portal is built if it is missing or its sources have changed", async () => {
  using project = portalCheckout();
  const first = await project.build();
  assert.equal(first.builds, 1);
  assert.ok(existsSync(join(folderOf(first), "index.html")));
  assert.ok(existsSync(join(folderOf(first), "index.html.br")));
  const again = await project.build();
  assert.equal(again.builds, 0);
  assert.equal(folderOf(again), folderOf(first));
  const seen = new Set([folderOf(first)]);
  const sources = [
    "src/portal/styles/base.css",
    "docs/errors.md",
    "package-lock.json",
    "src/site/page-paths.ts",
    "src/contract/operation.ts",
  ].slice(0, rounds(5, 3));
  for (const path of sources) {
    appendFileSync(join(project.path, path), "\n");
    const changed = await project.build();
    assert.equal(changed.builds, 1, path);
    seen.add(folderOf(changed));
  }
  assert.equal(seen.size, 1 + sources.length);
  // A service that runs may still answer from the last ones; the first are gone.
  assert.equal(readdirSync(project.output).length, 3);
  appendFileSync(join(project.path, "src/http/app.ts"), "\n");
  assert.equal((await project.build()).builds, 0);
});

test("two simultaneous starts share one build and leave nothing behind", async () => {
  using project = portalCheckout();
  const [one, other] = await Promise.all([project.build(), project.build()]);
  assert.equal(folderOf(one), folderOf(other));
  assert.deepEqual(readdirSync(project.output), [basename(folderOf(one))]);
});

test("what a killed build left behind is removed by the next one, an hour later", async () => {
  using project = portalCheckout();
  for (const name of [".old", ".new"])
    mkdirSync(join(project.output, name), { recursive: true });
  utimesSync(join(project.output, ".old"), 1, 1);
  const built = await project.build();
  assert.deepEqual(readdirSync(project.output).sort(), [
    ".new",
    basename(folderOf(built)),
  ]);
});

test("if the project's folder can't be written, the portal is built in the other one and found there", async () => {
  using project = portalCheckout();
  using other = temporaryFolder();
  writeFileSync(join(project.path, "dist"), "");
  const first = await project.build(join(other.path, "portal"));
  assert.equal(dirname(folderOf(first)), join(other.path, "portal"));
  const again = await project.build(join(other.path, "portal"));
  assert.equal(again.builds, 0);
  assert.equal(folderOf(again), folderOf(first));
});

test("if no folder can be written, a sentence says what to run, and the API is served", async () => {
  using project = portalCheckout();
  using data = temporaryFolder();
  writeFileSync(join(project.path, "dist"), "");
  writeFileSync(join(data.path, "portal"), "");
  await using program = startIn(project.path, data.path);
  const url = await urlOf(program);
  assert.match(
    program.err,
    /The portal is not built, and no build can be written to \S+dist\/portal or \S+portal\. .* Run "npm run build" in \S+ as a user who can write there, then restart\./,
  );
  assert.doesNotMatch(program.err, /Building|ENOTDIR/);
  const page = await fetch(url);
  assert.equal(page.status, 503);
  assert.match(await page.text(), /not built.* "npm run build"/s);
  for (const path of ["/v1/status", "/docs", "/reference"])
    assert.equal((await fetch(url + path)).status, 200);
});

test("a running service keeps its pages when three newer builds have replaced its own", async () => {
  using project = portalCheckout(
    'import shapes from "./shapes.json?url"; void import("./late.ts"); console.log(shapes);',
  );
  const late = join(project.path, "src/portal/late.ts");
  const shapes = JSON.stringify(Array.from({ length: 10_000 }, (_, i) => i));
  writeFileSync(join(project.path, "src/portal/shapes.json"), shapes);
  writeFileSync(late, "console.log(1);");
  const folder = folderOf(await project.build());
  const assets = readdirSync(join(folder, "assets"))
    .filter((name) => !/\.(br|gz)$/.test(name))
    .map((name) => ({
      name,
      bytes: readFileSync(join(folder, "assets", name)),
    }));
  using data = temporaryFolder();
  await using program = startIn(project.path, data.path);
  const url = await urlOf(program);
  for (let builds = 0; builds < 3; builds++) {
    appendFileSync(late, "console.log(2);");
    assert.equal((await project.build()).builds, 1);
  }
  assert.ok(!existsSync(folder));
  const page = await (await fetch(url)).text();
  assert.match(page, /\/assets\/index-/);
  for (const encoding of ["br", "gzip", "identity"])
    for (const { bytes, name } of assets) {
      const headers = { "accept-encoding": encoding };
      const answer = await fetch(`${url}/assets/${name}`, { headers });
      assert.equal(answer.status, 200, name);
      assert.ok(bytes.equals(Buffer.from(await answer.arrayBuffer())), name);
    }
});

test("a failed build is reported, and the API is served", async () => {
  using project = portalCheckout();
  writeFileSync(
    join(project.path, "src/portal/main.tsx"),
    "import './nothing';",
  );
  const failed = await project.build();
  assert.equal(failed.outcome, "failed");
  assert.ok(failed.outcome === "failed");
  assert.match(failed.message, /could not be built.*\.\/nothing/s);
  assert.deepEqual(readdirSync(project.output), []);

  using data = temporaryFolder();
  await using program = startIn(project.path, data.path);
  const url = await urlOf(program);
  assert.match(
    program.err,
    /The portal could not be built\. The API is served without it/,
  );
  const page = await fetch(url);
  assert.equal(page.status, 503);
  assert.match(await page.text(), /not built/);
  assert.equal((await fetch(`${url}/v1/status`)).status, 200);
});

/** The demo, from another checkout. */
function startIn(project: string, data: string): ProgramProcess {
  return new ProgramProcess(
    ["start"],
    { DATA_DIR: data, PORT: "0", WORKERS: "1", PROVIDERS: "300" },
    join(project, "bin", "provider-directory"),
  );
}

async function urlOf(program: ProgramProcess): Promise<string> {
  await program.printed(/Press Ctrl-C to stop/);
  return /Listening on (http:\S+)/.exec(program.out)?.[1] ?? "";
}
