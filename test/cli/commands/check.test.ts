import assert from "node:assert/strict";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { csvRecords } from "../../support/reference/csv-records.ts";
import { runProgram, temporaryFolder } from "../../support/program/program.ts";

suite("provider-directory check", () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  const data = at("data");
  const run = (...args: string[]) =>
    runProgram(["check", ...args, "--data-dir", data]);
  let active = "";
  let other = "";
  before(async () => {
    const args = ["--providers", "500", "--data-dir", data];
    const made = await runProgram(["demo", ...args]);
    assert.equal(made.code, 0, made.err);
    const found = await runProgram(
      "search status=active limit=2 --json --data-dir".split(" ").concat(data),
    );
    [active = "", other = ""] = JSON.parse(found.out).data.map(
      ({ npi }: { npi: string }) => npi,
    );
  });
  after(() => folder[Symbol.dispose]());

  test("adds columns to the rows, which stay as they are, and exits 3 if not all are active", async () => {
    const typo = active.slice(0, 9) + String((Number(active[9]) + 1) % 10);
    const rows = [
      `"Smith, ""Al""",${active},`,
      `=1+1,"${other}"," x "`,
      `"two\nlines", ${typo} ,`,
      `none,1234567893,`,
      `,x,`,
    ];
    writeFileSync(at("roster.csv"), `Name,NPI,Note\n${rows.join("\n")}\n`);
    const { code, err, out } = await run(
      at("roster.csv"),
      "--out",
      at("checked.csv"),
    );
    assert.equal(code, 3, err);
    assert.match(out, /roster\.csv: 5 rows\./);
    assert.match(out, /2\s+active/);
    assert.match(out, /1\s+with a wrong check digit/);
    const text = readFileSync(at("checked.csv"), "utf8");
    const lines = text.split("\r\n");
    for (const [index, row] of rows.entries())
      assert.ok(lines[index + 1]?.startsWith(`${row},`), row);
    const [header = [], ...records] = csvRecords(text);
    assert.deepEqual(header.slice(0, 7), [
      "Name",
      "NPI",
      "Note",
      "registry_verdict",
      "registry_replaced_by",
      "registry_suggestions",
      "registry_npi",
    ]);
    for (const record of records) assert.equal(record.length, header.length);
    const column = (name: string) =>
      records.map((record) => record[header.indexOf(name)]);
    assert.deepEqual(column("registry_verdict"), [
      "active",
      "active",
      "invalid_check_digit",
      "not_found",
      "malformed",
    ]);
    assert.deepEqual(column("registry_npi"), [active, other, "", "", ""]);
    assert.ok(column("registry_suggestions")[2]?.split(" ").includes(active));
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => name.endsWith(".partial")),
      [],
    );
  });

  test("exits 0 if all rows are of active providers; the column has any case", async () => {
    writeFileSync(
      at("good.csv"),
      `\uFEFFid,provider\r\n1,\u00A0${active}\u3000\r\n`,
    );
    const { code, out } = await run(at("good.csv"), "--column", "PROVIDER");
    assert.equal(code, 0, out);
    assert.match(out, /good\.csv: 1 row\./);
  });

  test("a missing column is a usage error that lists the columns; a missing file fails", async () => {
    writeFileSync(at("odd.csv"), "a,b\n1,2\n");
    const odd = await run(at("odd.csv"), "--out", at("odd-checked.csv"));
    assert.equal(odd.code, 2);
    assert.match(odd.err, /no column "npi".*Its columns: a, b\./);
    assert.ok(!existsSync(at("odd-checked.csv")));
    assert.equal((await run(at("missing.csv"))).code, 1);
  });

  test("a file that is no CSV file with commas is a usage error that says what to do", async () => {
    const files = {
      semicolons: [`npi;name\n${active};A\n`, /separated by semicolons/],
      tabs: [`npi\tname\n${active}\tA\n`, /separated by tabs/],
      returns: [`npi,name\r${active},A\r`, /carriage return only/],
      utf16: [Buffer.from(`npi\n${active}\n`, "utf16le"), /not text in UTF-8/],
      empty: ["", /no header/],
      wide: [`npi${",".repeat(10_000)}\n`, /more than 10000 columns/],
    } as const;
    for (const [name, [content, problem]] of Object.entries(files)) {
      writeFileSync(at(`${name}.csv`), content);
      const { code, err } = await run(at(`${name}.csv`));
      assert.equal(code, 2, name);
      assert.match(err, problem);
    }
  });

  test("--out is neither the checked file nor a folder", async () => {
    const roster = `npi\n${active}\n`;
    writeFileSync(at("own.csv"), roster);
    linkSync(at("own.csv"), at("link.csv"));
    mkdirSync(at("folder.csv"));
    for (const out of ["own.csv", "link.csv", "folder.csv"]) {
      const { code, err } = await run(at("own.csv"), "--out", at(out));
      assert.equal(code, 2, out);
      assert.match(err, /--out is /);
    }
    assert.equal(readFileSync(at("own.csv"), "utf8"), roster);
    assert.ok(!readdirSync(folder.path).join().includes(".partial"));
  });

  test("rows that cannot be read are named with their lines", async () => {
    writeFileSync(at("ragged.csv"), `npi,name\n${active},A\n${active}\n`);
    const { code, out } = await run(at("ragged.csv"));
    assert.equal(code, 3);
    assert.match(out, /1 row cannot be read.*line 3\./);
  });
});
