import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fails, runProgram, succeed } from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";
import {
  officialLayout,
  registryCsv,
} from "../support/pure/registry/registry-csv.ts";
import { FULL, person } from "../support/pure/registry/small-registry.ts";
import type { RawRow } from "../support/pure/registry/raw-row.ts";

const WEEK = "npidata_pfile_20261109-20261115.csv";
/** Clears the screen, in both ways to start a sequence; ends the line; turns the text around. */
const OBEYED = "EVIL\u001b[2J\u009b2J\n\u202eX";
const SHOWN = String.raw`EVIL\u001b[2J\u009b2J\u000a\u202eX`;

test("control characters of the registry's data are escaped in search and changes", async () => {
  using folder = temporaryFolder();
  const inFolder = ["--data-dir", join(folder.path, "data")];
  const importRows = async (name: string, rows: readonly RawRow[]) => {
    const path = join(folder.path, name);
    writeFileSync(path, registryCsv(rows, officialLayout()));
    await succeed(["import", path, ...inFolder]);
  };
  await importRows(FULL, [person(1)]);
  await importRows(WEEK, [person(1, { last: OBEYED })]);

  const table = await succeed(["search", ...inFolder]);
  assert.ok(table.includes(SHOWN), table);
  const [heading = "", row = ""] = table.split("\n");
  assert.equal(row.indexOf("  IL  ") + 2, heading.indexOf("STATE"));
  const changes = await succeed(["changes", ...inFolder]);
  assert.ok(changes.includes(`name.last EXAMPLE → ${SHOWN}`), changes);
  for (const output of [
    table,
    changes,
    await succeed(["search", "--explain", "name=evil", ...inFolder]),
    await succeed(["search", "--json", ...inFolder]),
  ])
    assert.doesNotMatch(output, /[^\P{Cc}\n]|\p{Bidi_Control}/u);
  const answer = JSON.parse(await succeed(["search", "--json", ...inFolder]));
  assert.equal(answer.data[0].name.last, OBEYED);
});

test("control characters of arguments are escaped in messages", async () => {
  await fails(
    runProgram(["search", "\u001b]0;title\u0007=x"]),
    2,
    /Unknown parameter "\\u001b\]0;title\\u0007"/,
  );
});
