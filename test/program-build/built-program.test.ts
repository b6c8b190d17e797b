import assert from "node:assert/strict";
import {
  appendFileSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { builtProgram } from "../../src/program-build/built-program.ts";
import { ProgramProcess, temporaryFolder } from "../support/program/program.ts";
import { portalCheckout } from "../support/service/portal-checkout.ts";

const BUILDING = /Building the program/;

/** Builds the program of a checkout; `builds` is how often one was made. */
async function build(root: string) {
  let builds = 0;
  const built = await builtProgram({
    root,
    onBuild: () => void builds++,
    signal: new AbortController().signal,
  });
  return { ...built, builds };
}

/** Serves from a checkout until it listens, then stops; returns what it printed, and what a path answered. */
async function serve(root: string, path: string) {
  using data = temporaryFolder();
  await using program = new ProgramProcess(
    ["serve"],
    { DATA_DIR: data.path, PORT: "0", WORKERS: "1", PORTAL: "off" },
    join(root, "bin", "provider-directory"),
  );
  const [, url = ""] = await program.printed(/Listening on (http:\S+) with/);
  const answer = await (await fetch(url + path)).text();
  program.kill("SIGTERM");
  const { code, err } = await program.ended();
  assert.equal(code, 0, err);
  return { err, answer };
}

test("the program is built if it is missing or its sources have changed, and runs from the build", async () => {
  using project = portalCheckout();
  const { path: root } = project;
  const first = await serve(root, "/.well-known/missing");
  assert.match(first.err, BUILDING);
  assert.match(first.answer, /"not_found"/);
  const [folder = ""] = readdirSync(join(root, "dist", "program"));
  const file = join(root, "dist", "program", folder, "service-program.js");
  const { builds, ...again } = await build(root);
  assert.deepEqual(again, { outcome: "built", url: pathToFileURL(file) });
  assert.equal(builds, 0);

  // What is in the build is what runs: the supervisor and its worker.
  for (const name of ["service-program.js", "worker-thread.js"]) {
    const path = join(root, "dist", "program", folder, name);
    const says = `process.stderr.write("runs ${name}\\n");\n`;
    writeFileSync(path, says + readFileSync(path, "utf8"));
  }
  const second = await serve(root, "/favicon.ico");
  assert.doesNotMatch(second.err, BUILDING);
  assert.match(second.err, /runs worker-thread\.js/);
  assert.match(second.err, /runs service-program\.js/);

  appendFileSync(join(root, "src", "http", "app.ts"), "\n");
  assert.equal((await build(root)).builds, 1);
  appendFileSync(join(root, "src", "portal", "main.tsx"), "\n");
  assert.equal((await build(root)).builds, 0);
});

test("a checkout is moved with its build, which knows all of its sources", async () => {
  using project = portalCheckout();
  const { path: root } = project;
  const before = join(root, "before");
  const after = join(root, "after");
  mkdirSync(before);
  for (const name of readdirSync(root))
    if (name !== "before") renameSync(join(root, name), join(before, name));
  assert.equal((await build(before)).builds, 1);
  renameSync(before, after);
  const { answer, err } = await serve(after, "/v1/status");
  assert.doesNotMatch(err, BUILDING);
  assert.match(answer, /"data_not_loaded"/);

  for (const file of globSync(join(after, "dist", "program", "*", "*.map")))
    assert.doesNotMatch(readFileSync(file, "utf8"), /src\/portal\//);
});

test("a program that is being built stops at a signal, and leaves nothing", async () => {
  using project = portalCheckout();
  const { path: root } = project;
  await using program = new ProgramProcess(
    ["serve"],
    { DATA_DIR: join(root, "data") },
    join(root, "bin", "provider-directory"),
  );
  await program.printed(BUILDING);
  program.kill("SIGTERM");
  const { code } = await program.ended();
  assert.equal(code, 143);
  assert.deepEqual(readdirSync(join(root, "dist", "program")), []);
});

test("help is shown without a build", async () => {
  using project = portalCheckout();
  await using program = new ProgramProcess(
    ["serve", "--help"],
    {},
    join(project.path, "bin", "provider-directory"),
  );
  assert.doesNotMatch((await program.ended()).err, BUILDING);
  assert.equal(readdirSync(project.path).includes("dist"), false);
});

test("if the project's folder can't be written, the service runs from the sources", async () => {
  using project = portalCheckout();
  writeFileSync(join(project.path, "dist"), "");
  const built = await build(project.path);
  assert.deepEqual(built, { outcome: "built", url: null, builds: 0 });
  const { answer, err } = await serve(project.path, "/v1/status");
  assert.doesNotMatch(err, /Building|could not/);
  assert.match(answer, /"data_not_loaded"/);
});

test("a failed build is reported, and the service runs from the sources", async () => {
  using project = portalCheckout();
  rmSync(join(project.path, "src", "program-build", "build.ts"));
  const { answer, err } = await serve(project.path, "/v1/status");
  assert.match(
    err,
    /The program could not be built\. It runs from its sources/,
  );
  assert.match(answer, /"data_not_loaded"/);
});

test("other commands run from the sources", async () => {
  using project = portalCheckout();
  await using program = new ProgramProcess(
    ["snapshots", "list"],
    { DATA_DIR: join(project.path, "data") },
    join(project.path, "bin", "provider-directory"),
  );
  assert.doesNotMatch((await program.ended()).err, BUILDING);
  assert.equal(readdirSync(project.path).includes("dist"), false);
});
