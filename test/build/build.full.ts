import assert from "node:assert/strict";
import {
  appendFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ProgramProcess } from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import {
  portalCheckout,
  type PortalCheckout,
} from "../support/program/portal-checkout.ts";

const NOT_BUILT =
  /The portal is not built for this version of the program\. .* Run "npm run build" in \S+, then restart\./;

/** The demo, from a checkout. */
function startIn(root: string, data: string): ProgramProcess {
  return new ProgramProcess(
    ["start"],
    { DATA_DIR: data, PORT: "0", WORKERS: "1", PROVIDERS: "300" },
    join(root, "bin", "provider-directory"),
  );
}

async function urlOf(program: ProgramProcess): Promise<string> {
  await program.printed(/Press Ctrl-C to stop/);
  return /Listening on (http:\S+)/.exec(program.out)?.[1] ?? "";
}

async function built(project: PortalCheckout): Promise<void> {
  const { code, err, out } = await project.build();
  assert.equal(code, 0, err);
  assert.match(out, /^Built the portal in /);
}

test("a checkout runs from its build, also after it is moved, and only while its sources are the same", async () => {
  using project = portalCheckout();
  const before = join(project.path, "before");
  const root = join(project.path, "after");
  await built(project);
  assert.deepEqual(await project.build(), { code: 0, out: "", err: "" });
  mkdirSync(before);
  for (const name of readdirSync(project.path))
    if (name !== "before")
      renameSync(join(project.path, name), join(before, name));
  renameSync(before, root);
  // What is in the build is what runs: the supervisor and its worker.
  const [folder = ""] = globSync(join(root, "dist", "program", "*"));
  for (const name of ["program.js", "worker-thread.js"]) {
    const says = `process.stderr.write("runs ${name}\\n");\n`;
    const path = join(folder, name);
    writeFileSync(path, says + readFileSync(path, "utf8"));
  }
  using data = temporaryFolder();
  {
    await using program = startIn(root, data.path);
    const url = await urlOf(program);
    assert.match(program.err, /runs worker-thread\.js/);
    assert.match(program.err, /runs program\.js/);
    assert.doesNotMatch(program.err, NOT_BUILT);
    assert.equal((await fetch(url)).status, 200);
  }
  for (const file of globSync(join(folder, "*.map")))
    assert.doesNotMatch(readFileSync(file, "utf8"), /src\/portal\//);

  appendFileSync(join(root, "src", "site", "page-paths.ts"), "\n");
  await using program = startIn(root, data.path);
  const url = await urlOf(program);
  assert.doesNotMatch(program.err, /runs/);
  assert.match(program.err, NOT_BUILT);
  const page = await fetch(url);
  assert.equal(page.status, 503);
  assert.match(await page.text(), /not built.* "npm run build"/s);
  for (const path of ["/v1/status", "/docs", "/reference"])
    assert.equal((await fetch(url + path)).status, 200);
});

test("simultaneous builds share one result, and the next build removes what killed ones left, an hour later", async () => {
  using project = portalCheckout();
  const parts = join(project.path, "dist", "portal");
  for (const name of [".old", ".new"])
    mkdirSync(join(parts, name), { recursive: true });
  utimesSync(join(parts, ".old"), 1, 1);
  const builds = await Promise.all([project.build(), project.build()]);
  for (const { code, err } of builds) assert.equal(code, 0, err);
  assert.equal(readdirSync(parts).length, 2);
  assert.ok(readdirSync(parts).includes(".new"));
  const [folder = ""] = globSync(join(parts, "*"));
  for (const name of ["index.html", "index.html.br", "index.html.gz"])
    assert.ok(existsSync(join(folder, name)));
});

test("a running service keeps its pages when three newer builds have replaced its own", async () => {
  using project = portalCheckout(
    'import shapes from "./shapes.json?url"; void import("./late.ts"); console.log(shapes);',
  );
  const late = join(project.path, "src/portal/late.ts");
  const shapes = JSON.stringify(Array.from({ length: 10_000 }, (_, i) => i));
  writeFileSync(join(project.path, "src/portal/shapes.json"), shapes);
  writeFileSync(late, "console.log(1);");
  await built(project);
  const [folder = ""] = globSync(join(project.path, "dist", "portal", "*"));
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
    await built(project);
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

test("a failed build says why and leaves nothing", async () => {
  using project = portalCheckout("import './nothing';");
  const { code, err } = await project.build();
  assert.equal(code, 1);
  assert.match(err, /^The build failed: .*\.\/nothing/s);
  assert.deepEqual(readdirSync(join(project.path, "dist", "portal")), []);
});
