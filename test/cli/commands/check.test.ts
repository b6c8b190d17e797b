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
import { csvRecords } from "../../support/pure/reference/csv-records.ts";
import { fails, runProgram, succeeded } from "../../support/program/program.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";

suite("provider-directory check", () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  const data = at("data");
  const run = (...args: string[]) =>
    runProgram(["check", ...args, "--data-dir", data]);
  let active = "";
  let other = "";
  let place = { city: "", state: "" };
  before(async () => {
    const args = ["--providers", "500", "--data-dir", data];
    await succeeded(runProgram(["demo", ...args]));
    const found = await runProgram(
      "search status=active limit=2 --json --data-dir".split(" ").concat(data),
    );
    const { data: entries } = JSON.parse(found.out);
    [active = "", other = ""] = entries.map(({ npi }: { npi: string }) => npi);
    place = entries[0];
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

  test("names the columns that differ from the registry, and compares no others", async () => {
    const own = [place.state.toLowerCase(), ` ${place.city} `];
    const rows = [
      [active, ...own, '"say ""no"""'],
      [active, "ZZ", '"Now,here"', "x"],
      ["1234567893", "ZZ", "Nowhere", "x"],
      [active, "ZZ"],
    ];
    writeFileSync(
      at("differs.csv"),
      `NPI,State,Practice City,Note\n${rows.map((row) => row.join()).join("\n")}\n`,
    );
    await run(at("differs.csv"), "--out", at("d.csv"));
    const [header = [], ...records] = csvRecords(
      readFileSync(at("d.csv"), "utf8"),
    );
    assert.equal(header.at(-1), "registry_differs");
    assert.deepEqual(
      records.map((record) => record.at(-1)),
      ["", "state city", "", "state"],
    );
  });

  test("exits 0 if all rows are of active providers; the column has any case", async () => {
    writeFileSync(
      at("good.csv"),
      `\uFEFFid,provider\r\n1,\u00A0${active}\u3000\r\n`,
    );
    const out = await succeeded(run(at("good.csv"), "--column", "PROVIDER"));
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
      utf16: [Buffer.from(`npi\n${active}\n`, "utf16le"), /isn.t UTF-8 text/],
      empty: ["", /no header/],
      wide: [`npi${",".repeat(10_000)}\n`, /more than 10000 columns/],
    } as const;
    for (const [name, [content, problem]] of Object.entries(files)) {
      writeFileSync(at(`${name}.csv`), content);
      await fails(run(at(`${name}.csv`)), 2, problem);
    }
  });

  test("--out is neither the checked file nor a folder", async () => {
    const roster = `npi\n${active}\n`;
    writeFileSync(at("own.csv"), roster);
    linkSync(at("own.csv"), at("link.csv"));
    mkdirSync(at("folder.csv"));
    for (const out of ["own.csv", "link.csv", "folder.csv"]) {
      await fails(run(at("own.csv"), "--out", at(out)), 2, /--out is /);
    }
    assert.equal(readFileSync(at("own.csv"), "utf8"), roster);
    assert.ok(!readdirSync(folder.path).join().includes(".partial"));
  });

  test("an NPI is read without what web pages and spreadsheets put around it", async () => {
    const typed = [
      `\u200B${active}\u200B`,
      `\uFEFF${active}`,
      `\u00A0 ${active}\u202F`,
      `\u2060\u200E${active}\u200F\u00AD`,
      `'${active}`,
      `="${active}"`,
      `"=""${active}"""`,
      `"\t${active}\n"`,
    ];
    writeFileSync(at("typed.csv"), `npi,name\n${typed.join(",A\n")},A\n`);
    const { code, out } = await run(at("typed.csv"), "--out", at("t.csv"));
    assert.equal(code, 0, out);
    const [header = [], ...records] = csvRecords(
      readFileSync(at("t.csv"), "utf8"),
    );
    assert.equal(records.length, typed.length);
    for (const record of records)
      assert.equal(record[header.indexOf("registry_npi")], active);
    for (const npi of [`${active.slice(0, 5)}\u200B${active.slice(5)}`, ""]) {
      writeFileSync(at("inside.csv"), `npi,name\n${npi},A\n`);
      assert.equal((await run(at("inside.csv"))).code, 3);
    }
  });

  test("an NPI in groups, with decimals or a prefix is read, and the summary says so", async () => {
    const rows = [
      `A,${active}.0`,
      `B,${active.slice(0, 3)}-${active.slice(3, 6)}-${active.slice(6)}`,
      `C,${active}`,
      `D,"${active.slice(0, 4)} ${active.slice(4, 7)} ${active.slice(7)}"`,
      `E,80840${active}`,
    ];
    writeFileSync(at("groups.csv"), `name,NPI\n${rows.join("\n")}\n`);
    const out = await succeeded(run(at("groups.csv"), "--out", at("g.csv")));
    assert.match(
      out,
      /^NPI read without its hyphens, spaces, decimal zeros, or prefix 80840: lines 2, 3, 5, 6\.$/m,
    );
    const written = readFileSync(at("g.csv"), "utf8");
    const [header = [], ...records] = csvRecords(written);
    for (const [index, record] of records.entries()) {
      assert.equal(record[header.indexOf("registry_npi")], active);
      assert.ok(written.includes(`${rows[index]},active`));
    }
  });

  test("a first line that says what separates the values is understood, and is not in the output", async () => {
    for (const separator of [",", ";", "\t", "|"])
      for (const line of [`sep=${separator}\r\n`, `"sep=${separator}"\n`]) {
        const rows = [
          ["name", "NPI", "note"],
          ['"Smith, ""Al""; x"', active, 'bare "quotes"'],
          ["", `${active}.0`, ""],
        ];
        const text = rows.map((row) => row.join(separator)).join("\r\n");
        writeFileSync(at("sep.csv"), `\uFEFF${line}${text}`);
        const out = await succeeded(run(at("sep.csv"), "--out", at("s.csv")));
        assert.match(out, /prefix 80840: line 4\.$/m);
        const written = readFileSync(at("s.csv"), "utf8");
        assert.deepEqual(
          csvRecords(written).map((record) => record.slice(0, 3)),
          [
            ["name", "NPI", "note"],
            ['Smith, "Al"; x', active, 'bare "quotes"'],
            ["", `${active}.0`, ""],
          ],
        );
      }
    writeFileSync(at("sep.csv"), "sep=;");
    assert.equal((await run(at("sep.csv"))).code, 2);
  });

  test("rows with too few or too many cells are checked, and written with the new cells in their columns", async () => {
    const rows: [row: string, verdict: string, surplus: string[]][] = [
      [`A,${active},x`, "active", []],
      [`A,${active}`, "active", []],
      [`A`, "malformed", []],
      [`A,${active},x,,`, "active", ["", ""]],
      [`"A, ""B""",${active},"x",y,"z,"`, "active", ["y", "z,"]],
      [`"two\nlines",${active}`, "active", []],
      [`A,${active},x`, "active", []],
    ];
    const text = `name,npi,note\n${rows.map(([row]) => row).join("\n")}\n`;
    writeFileSync(at("ragged.csv"), text);
    const { code, out } = await run(at("ragged.csv"), "--out", at("r.csv"));
    assert.equal(code, 3);
    assert.match(out, /ragged\.csv: 7 rows\./);
    assert.match(out, /fewer cells than the header: lines 3, 4, 5, 6, 7\.$/m);
    const [header = [], ...records] = csvRecords(
      readFileSync(at("r.csv"), "utf8"),
    );
    const verdict = header.indexOf("registry_verdict");
    assert.deepEqual(
      records.map((record) => [record[verdict], record.slice(header.length)]),
      rows.map(([, expected, surplus]) => [expected, surplus]),
    );
    assert.equal(records[4]?.[0], 'A, "B"');
    assert.equal(records[5]?.[0], "two\nlines");
    const counted = await run(at("ragged.csv"));
    assert.equal(counted.out, out);
    writeFileSync(at("short.csv"), `npi,name\n${active}\n${other}`);
    await succeeded(run(at("short.csv")));
  });

  test("text after a quote that is never closed is in the output, and hides no row", async () => {
    writeFileSync(
      at("quote.csv"),
      `name,npi\nA,${active}\n"B,${active}\nC,${active}\n`,
    );
    const { code, out } = await run(at("quote.csv"), "--out", at("q.csv"));
    assert.equal(code, 3);
    assert.match(out, /3 rows\.[^]*malformed: line 3\.$/m);
    const [header = [], ...records] = csvRecords(
      readFileSync(at("q.csv"), "utf8"),
    );
    assert.deepEqual(
      records.map((record) => [record[0], record.length]),
      [
        ["A", header.length],
        [`"B,${active}`, header.length],
        ["C", header.length],
      ],
    );
  });
});
