import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import {
  ProgramProcess,
  succeed,
  temporaryFolder,
} from "../../support/program/program.ts";
import {
  checkAxeInLightAndDark,
  NO_BROWSER,
  tooWide,
  visit,
} from "../browser.ts";

const STREET = "Provider First Line Business Practice Location Address";
const PHONE = "Provider Business Practice Location Address Telephone Number";
const UPDATED = "Last Update Date";
const TAXONOMY = "Healthcare Provider Taxonomy Code_1";

suite("the history of a provider", { skip: NO_BROWSER }, () => {
  test("is grouped by date in the words of the page, and says so if there is none", async () => {
    using folder = temporaryFolder();
    const data = join(folder.path, "data");
    const full = join(folder.path, "npidata_pfile_20050523-20261108.csv");
    const week = join(folder.path, "npidata_pfile_20261109-20261115.csv");
    await succeed(["generate", "--providers", "60", "--out", full]);
    const [header = "", ...rows] = readFileSync(full, "utf8").split("\n");
    const names = cellsOf(header);
    const at = (name: string) => names.indexOf(name);
    const [row = [], other = []] = rows
      .map(cellsOf)
      .filter((cells) => cells[at("Entity Type Code")] === "1")
      .filter((cells) => cells[at(PHONE)] !== "" && cells[at(STREET)] !== "")
      .filter((cells) => !cells[at("Healthcare Provider Taxonomy Code_2")]);
    const changed = row
      .with(at(STREET), "12 NEW ELM ST")
      .with(at(PHONE), "2175550199")
      .with(at(TAXONOMY), "207RC0000X")
      .with(at(UPDATED), "11/12/2026");
    writeFileSync(full, [header, ...rows].join("\n"));
    writeFileSync(week, `${header}\n${lineOf(changed)}\n`);
    await succeed(["import", full, "--data-dir", data]);
    await succeed(["import", week, "--data-dir", data]);
    await using program = new ProgramProcess(["serve"], {
      DATA_DIR: data,
      PORT: "0",
      WORKERS: "1",
      EXPLORER: "open",
    });
    const [, url = ""] = await program.printed(/Listening on (http:\S+) with/);
    await program.printed(/Serving snapshot/);
    await using reader = await visit(url, {
      viewport: { width: 320, height: 667 },
    });
    const { page } = reader;
    const history = page
      .locator("section")
      .filter({ has: page.getByRole("heading", { name: "History" }) });
    await page.goto(`/npi/${row[0]}`);
    // The name of a specialty is looked up.
    await history.getByText("→ Cardiovascular Disease Physician").waitFor();
    await history.getByText("Added: Cardiovascular Disease").waitFor();
    const said = await history.innerText();
    for (const text of [
      "Practice location, street",
      "12 New Elm St",
      "Phone",
      "(217) 555-0199",
      "Last updated",
      "November 12, 2026",
    ])
      assert.ok(said.includes(text), `${said} lacks ${text}`);
    assert.doesNotMatch(said, /_|207RC0000X/);
    assert.equal(await history.getByRole("heading", { level: 3 }).count(), 1);
    assert.deepEqual(await tooWide(page), []);
    await checkAxeInLightAndDark(page);
    await page.goto(`/npi/${other[0]}`);
    await history.getByText("No changes recorded yet.").waitFor();
    assert.deepEqual(reader.faults, []);
  });
});

function cellsOf(line: string): string[] {
  return line.replace(/^"|"$/g, "").split('","');
}

function lineOf(cells: readonly string[]): string {
  return `"${cells.join('","')}"`;
}
