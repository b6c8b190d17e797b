import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { DetailPart } from "../../../src/contract/detail-parts.ts";
import { MAX_DOWNLOAD_ROWS } from "../../../src/contract/operation.ts";
import { Workbook } from "../../../src/http/exports/workbook/workbook.ts";
import {
  MAX_WORKBOOKS,
  type WorkbookPlaces,
} from "../../../src/http/exports/workbook/workbook-places.ts";
import { isFailure } from "../../../src/http/pipeline/failure.ts";
import type { AnswerFacts } from "../../../src/http/pipeline/request-log.ts";
import {
  CELL_SEPARATOR,
  ROW_SEPARATOR,
} from "../../../src/search/render/plain-cells.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import { portalParts } from "../../support/app/portal-parts.ts";
import { organizations } from "../../support/pure/engine/sample-directory.ts";
import { fullTest } from "../../support/pure/full-run.ts";
import { errorOf } from "../../support/pure/http-error.ts";
import { csvRecords } from "../../support/pure/reference/csv-records.ts";
import { inventedNpi } from "../../support/pure/registry/invented-npi.ts";
import { rawRow } from "../../support/pure/registry/raw-row.ts";
import {
  FULL,
  SmallRegistry,
} from "../../support/pure/registry/small-registry.ts";
import { sheetOf, type SheetCell } from "../../support/pure/sheet.ts";
import { until } from "../../support/pure/until.ts";

/** More than a visitor's download has. */
const MANY = 1_234;
const LINK = '=HYPERLINK("https://invented.example","CLINIC")';
const PRACTICE = "Provider Business Practice Location Address";

async function startOpen(answerLog: (line: AnswerFacts) => void = () => {}) {
  const portal = await portalParts({ explorer: "open", perSecond: 1_000 });
  const service = await startHttpService({ portal, answerLog, trustProxy: 1 });
  return Object.assign(service, { places: portal.workbooks });
}

/** Providers whose texts a spreadsheet could take for something else. */
async function doubtful(details: readonly DetailPart[]) {
  const registry = new SmallRegistry();
  const rows = [
    ["1", LINK, "021080123", "+44 20 7946 0958"],
    ["2", "A & B <CLINIC> É \u0001\u001E\u001F", "02109", "6175550100"],
    ["3", '-1+1 "QUOTED", CLINIC', "00501", "@6175550101"],
  ].map(([number = "", name = "", zip = "", phone = ""]) =>
    Object.assign(
      rawRow(
        {
          npi: inventedNpi(200_000_000 + Number(number)),
          state: "MA",
          city: "BOSTON",
        },
        [{ code: "207Q00000X", primary: "Y" }],
      ),
      {
        "Entity Type Code": "2",
        "Provider Organization Name (Legal Business Name)": name,
        "Provider Business Mailing Address Postal Code": "021120456",
        [`${PRACTICE} Postal Code`]: zip,
        [`${PRACTICE} Telephone Number`]: phone,
      },
    ),
  );
  await registry.import(FULL, rows, { details: new Set(details) });
  return registry;
}

/** The cells of a CSV, without what protects them. */
function cellsOfCsv(body: string): SheetCell[][] {
  return csvRecords(body.slice(1)).map((record) =>
    record.map((cell) => (cell === "" ? null : cell.replace(/^'/, ""))),
  );
}

test("a workbook has the cells of the CSV, as text that no spreadsheet runs", async () => {
  await using service = await startOpen();
  for (const details of [[], ["identity", "mailing_address"]] as const) {
    using registry = await doubtful(details);
    using directory = registry.directory();
    service.data.directory = directory;
    for (const set of ["calls", "mail", "all"]) {
      const query = `state=MA&column_set=${set}`;
      const csv = await service.ask({ url: `/explore/search.csv?${query}` });
      const { headers, rawPayload, statusCode } = await service.ask({
        url: `/explore/search.xlsx?${query}`,
        headers: { "accept-encoding": "gzip" },
      });
      assert.equal(statusCode, 200);
      assert.equal(headers["content-encoding"], undefined);
      assert.equal(
        headers["content-type"],
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      );
      assert.equal(
        headers["content-disposition"],
        'attachment; filename="providers-ma.xlsx"',
      );
      const cells = await sheetOf(rawPayload);
      const expected = cellsOfCsv(
        csv.body.replace("\u0001\u001E\u001F", "   "),
      );
      assert.deepEqual(cells.map(withoutEnd), expected.map(withoutEnd));
      const all = cells.flat();
      assert.ok(all.includes(LINK));
      if (set === "calls") assert.ok(all.includes("00501"), "leading zeros");
      assert.ok(all.every((cell) => typeof cell !== "number"));
    }
  }
  const refused = await service.ask({ url: "/explore/search.xlsx?name=zzzz" });
  assert.deepEqual((await sheetOf(refused.rawPayload)).length, 1);
});

test("a workbook has all rows in the order of the list, and distances as numbers", async () => {
  await using service = await startOpen();
  service.data.directory = await organizations(MANY, (number) => ({
    organization: `INVENTED CLINIC ${number}`,
    city: "SPRINGFIELD",
    postalCode: ["62704", "63101", "62701"][number % 3] ?? "",
    country: "US",
  }));
  for (const query of ["search?sort=name", "nearby?zip=62701&radius=100"]) {
    const ask = (format: string) =>
      service.ask({ url: `/explore/${query.replace("?", `.${format}?`)}` });
    const { headers, rawPayload } = await ask("xlsx");
    assert.equal(headers["x-total-count"], String(MANY));
    const [header = [], ...rows] = await sheetOf(rawPayload);
    const [names = [], ...records] = cellsOfCsv((await ask("csv")).body);
    assert.deepEqual(header, names);
    assert.equal(rows.length, MAX_DOWNLOAD_ROWS.visitor);
    const distance = header.indexOf("distance_miles");
    assert.equal(distance >= 0, query.startsWith("nearby"));
    assert.deepEqual(
      rows.map(withoutEnd),
      records.map((record) =>
        withoutEnd(
          record.map((cell, index) =>
            index === distance ? Number(cell) : cell,
          ),
        ),
      ),
    );
  }
});

test("two workbooks are made at a time, and one that its client leaves frees its place", async () => {
  const lines: AnswerFacts[] = [];
  await using service = await startOpen((line) => lines.push(line));
  service.data.directory = await organizations(MANY, (number) => ({
    organization: `INVENTED CLINIC ${number}`,
    address1: noise(number),
  }));
  const port = await service.listen();
  const ask = (url: string, network: number, method: "GET" | "HEAD" = "GET") =>
    service.ask({
      method,
      url: `/explore/${url}`,
      headers: { "x-forwarded-for": `198.51.100.${network}` },
    });
  const readers: Socket[] = [];
  for (let network = 0; network < MAX_WORKBOOKS; network++)
    readers.push(await begin(port, network));
  const refused = await ask("search.xlsx", 9);
  assert.equal(refused.statusCode, 503);
  const { code, message } = errorOf(refused.body);
  assert.deepEqual(
    [code, message],
    [
      "service_busy",
      "Only 2 Excel workbooks are made at the same time. Try again in 10 s.",
    ],
  );
  assert.equal(refused.headers["retry-after"], "10");
  // What was refused keeps no other place, and other formats have theirs.
  assert.equal((await ask("search.csv", 9)).statusCode, 200);
  for (const reader of readers) {
    reader.destroy();
    await until("a place", () => hasPlace(service.places));
  }
  await until("both to be noted", () => lines.length === 4);
  assert.deepEqual(
    lines.flatMap(({ cut, route }) =>
      route === "/explore/search.xlsx" && cut !== undefined ? [cut] : [],
    ),
    ["client_gone", "client_gone"],
  );
  for (let head = 0; head <= MAX_WORKBOOKS; head++)
    assert.equal((await ask("search.xlsx", 9, "HEAD")).statusCode, 200);
  const whole = await ask("search.xlsx?name=zzzz", 9);
  assert.equal((await sheetOf(whole.rawPayload)).length, 1);
  await until("all places", () => hasPlaces(service.places));
});

fullTest("the thread's memory is enough for 100,000 rows of text", async () => {
  using workbook = new Workbook(() => {});
  const rows = Array.from({ length: MAX_DOWNLOAD_ROWS.account }, (_row, row) =>
    Array.from({ length: 25 }, (_cell, cell) => `TEXT ${row * 31 + cell}`),
  );
  const parts: Uint8Array[] = [];
  for (let start = 0; start < rows.length; start += 100) {
    const slice = rows.slice(start, start + 100);
    const text = slice.map((row) => row.join(CELL_SEPARATOR) + ROW_SEPARATOR);
    parts.push(await workbook.add(Buffer.from(text.join(""))));
  }
  parts.push(await workbook.end());
  const read = await sheetOf(Buffer.concat(parts));
  assert.equal(read.length, rows.length);
  assert.deepEqual(read.at(-1), rows.at(-1));
});

/** Texts that no compression makes small, so that the buffers of a connection don't take a whole workbook. */
function noise(number: number): string {
  return Array.from({ length: 200 }, (_, part) =>
    createHash("sha512").update(`${number} ${part}`).digest("hex"),
  )
    .join("")
    .toUpperCase();
}

/** Asks for a workbook, and reads only its first bytes. */
async function begin(port: number, network: number): Promise<Socket> {
  const client = connect(port, "127.0.0.1");
  client.on("error", () => undefined);
  client.write(
    `GET /explore/search.xlsx HTTP/1.1\r\nHost: directory.example\r\nConnection: close\r\nX-Forwarded-For: 198.51.100.${network}\r\n\r\n`,
  );
  await once(client, "readable");
  assert.equal(String(client.read(12)), "HTTP/1.1 200");
  return client;
}

function hasPlace(places: WorkbookPlaces): boolean {
  const place = places.open();
  if (isFailure(place)) return false;
  place[Symbol.dispose]();
  return true;
}

function hasPlaces(places: WorkbookPlaces): boolean {
  const first = places.open();
  if (isFailure(first)) return false;
  const isFree = hasPlace(places);
  first[Symbol.dispose]();
  return isFree;
}

/** Leaves out the empty cells after the last one. */
function withoutEnd(cells: readonly SheetCell[]): SheetCell[] {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== null) + 1);
}
