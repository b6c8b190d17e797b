import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import {
  checkPackage,
  createPackageFromTarballData,
} from "@arethetypeswrong/core";
import { publint } from "publint";
import manifest from "../../package.json" with { type: "json" };
import packed from "../../packages/client/package.json" with { type: "json" };
import { PROJECT } from "../../src/build/built-folder.ts";
import { startHttpService } from "../support/app/http-service.ts";
import { SAMPLE } from "../support/pure/engine/sample-directory.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";

const run = promisify(execFile);
const MAX_COMPRESSED_BYTES = 12 * 1_024;
const README = readFileSync(join(PROJECT, "packages/client/README.md"), "utf8");
const BLOCKS = [...README.matchAll(/^```(\w+)\n([^]*?)^```/gm)].map(
  ([, language = "", text = ""]) => ({ language, text }),
);

suite("the package of the client", () => {
  const folder = temporaryFolder();
  const project = join(folder.path, "project");
  const tarball = join(folder.path, `${packed.name}-${packed.version}.tgz`);
  const installed = join(project, "node_modules", packed.name);

  before(async () => {
    mkdirSync(project);
    writeFileSync(join(project, "package.json"), '{"type":"module"}');
    await run(
      "npm",
      [
        "pack",
        "--workspace",
        "packages/client",
        "--pack-destination",
        folder.path,
      ],
      { cwd: PROJECT },
    );
    await run("npm", ["install", "--offline", "--ignore-scripts", tarball], {
      cwd: project,
    });
  });
  after(() => folder[Symbol.dispose]());

  test("has no faults by publint and Are the types wrong?", async () => {
    const { messages } = await publint({ pkgDir: installed, strict: true });
    assert.deepEqual(messages, []);
    const bytes = new Uint8Array(readFileSync(tarball));
    const result = await checkPackage(createPackageFromTarballData(bytes));
    assert.ok("problems" in result);
    // It is ESM only: require() of it needs Node 20.19, and import() works everywhere.
    const others = result.problems.filter(
      ({ kind }) => kind !== "CJSResolvesToESM",
    );
    // Resolution of Node 10 knows no exports.
    assert.deepEqual(
      others.filter(
        (each) =>
          !("resolutionKind" in each && each.resolutionKind === "node10"),
      ),
      [],
    );
  });

  test("is small, of one module, and needs no other package", () => {
    const modules = globSync("dist/**/*.js", { cwd: installed });
    assert.deepEqual(modules, ["dist/index.js"]);
    const code = readFileSync(join(installed, "dist/index.js"));
    assert.doesNotMatch(code.toString(), /\bimport\b|\brequire\(/);
    const { length } = gzipSync(code, { level: 9 });
    assert.ok(length <= MAX_COMPRESSED_BYTES, `${length} bytes`);
    assert.equal(packed.version, manifest.version);
    assert.ok(!("dependencies" in packed));
  });

  test("runs with each Node of this machine as its README says, and its types fit", async () => {
    await using service = await startHttpService();
    const url = `http://127.0.0.1:${await service.listen()}`;
    const programs = BLOCKS.filter(({ language }) => language === "ts");
    assert.ok(programs.length > 5);
    const [start] = programs;
    const names = programs.map(({ text }, index) => {
      const name = `example-${index}`;
      const opening = index === 0 ? "" : `${start?.text.split("\n\n")[0]}\n`;
      writeFileSync(
        join(project, `${name}.ts`),
        `${opening}${text}`
          .replaceAll("https://directory.example", url)
          .replaceAll("1976056766", SAMPLE.person),
      );
      return name;
    });
    writeFileSync(
      join(project, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          exactOptionalPropertyTypes: true,
          target: "es2022",
          lib: ["es2023", "DOM"],
          module: "nodenext",
          typeRoots: [join(PROJECT, "node_modules/@types")],
          types: ["node"],
        },
      }),
    );
    const tsc = join(PROJECT, "node_modules/.bin/tsc");
    await run(tsc, ["-p", "."], { cwd: project });
    const nodes = new Set(
      (await run("which", ["-a", "node"])).stdout.trim().split("\n"),
    );
    const env = { ...process.env, API_KEY: service.paidKey };
    for (const node of nodes) {
      service.installation.clock.nowMs += 1_000;
      const [first] = await Promise.all(
        names.map((name) => run(node, [`${name}.js`], { cwd: project, env })),
      );
      assert.match(first?.stdout ?? "", /O'BRIEN/);
    }
  });
});
