import assert from "node:assert/strict";
import { test } from "node:test";
import type { DetailPart } from "../../../src/contract/detail-parts.ts";
import {
  ALL_COLUMNS,
  EXPORT_COLUMNS,
} from "../../../src/contract/export-columns.ts";
import { MAX_DOWNLOAD_ROWS } from "../../../src/contract/operation.ts";
import {
  EXPORT_FORMATS,
  type ExportFormat,
} from "../../../src/contract/row-formats.ts";
import { downloadName } from "../../../src/http/routes/download.ts";
import type { FirstDocs } from "../../../src/search/query.ts";
import type { AnswerFacts } from "../../../src/http/pipeline/request-log.ts";
import { badParameters, errorOf } from "../../support/pure/http-error.ts";
import { csvRows } from "../../support/pure/reference/csv-records.ts";
import { inventedNpi } from "../../support/pure/registry/invented-npi.ts";
import { rawRow } from "../../support/pure/registry/raw-row.ts";
import {
  FULL,
  SmallRegistry,
} from "../../support/pure/registry/small-registry.ts";
import { suiteOnBothInFull } from "../../support/postgresql/on-both.ts";
import {
  startAuthService,
  type AuthTestService,
} from "../../support/app/auth-service.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import { portalParts } from "../../support/app/portal-parts.ts";
import {
  organizations,
  sampleDirectory,
} from "../../support/pure/engine/sample-directory.ts";

const ADA = "ada@clinic.example";
/** What the portal's script sends. */
const OF_PAGE = { "x-requested-with": "portal" };
/** More than a visitor's download has. */
const MANY = 2_345;

let many: ReturnType<typeof organizations> | null = null;

function manyProviders() {
  return (many ??= organizations(MANY, (number) => ({
    organization: `=INVENTED CLINIC ${number}`,
    city: "SPRINGFIELD",
    // Some at each distance, in another order than that of search.
    postalCode: ["62704", "63101", "62701"][number % 3] ?? "",
    country: "US",
  })));
}

async function startOpen(
  perSecond = 1_000,
  answerLog?: (line: AnswerFacts) => void,
) {
  const portal = await portalParts({ explorer: "open", perSecond });
  return startHttpService({
    portal,
    ...(answerLog === undefined ? {} : { answerLog }),
  });
}

/** An explorer that is open to everyone or not, with sign-up and many providers. */
async function startWithUsers(
  explorer: "open" | "signed-in",
  install?: Parameters<Parameters<typeof suiteOnBothInFull>[1]>[0],
  perSecond = 1_000,
): Promise<AuthTestService> {
  const service = await startAuthService({
    portal: await portalParts({ explorer, perSecond }),
    ...(install === undefined ? {} : { install }),
  });
  service.http.data.directory = await manyProviders();
  return service;
}

function npisOf(body: string, format: ExportFormat): string[] {
  const lines = body.split("\n").slice(format === "csv" ? 1 : 0, -1);
  return lines.map((line) =>
    format === "csv" ? line.slice(0, 10) : String(JSON.parse(line).npi),
  );
}

test("a download has the bytes of an export with the same filters, whatever the page", async () => {
  await using service = await startOpen();
  const columns = EXPORT_COLUMNS.map(({ name }) => name).join(",");
  for (const query of [
    "",
    "name=testcase",
    "state=MO&taxonomy_scope=any",
    "sort=name",
  ])
    for (const format of EXPORT_FORMATS) {
      const [mark, chosen] =
        format === "csv" ? ["\uFEFF", `&columns=${columns}`] : ["", ""];
      const url = `/explore/search.${format}?${query}&page=3&limit=7${chosen}`;
      const download = await service.ask({ url });
      assert.equal(download.statusCode, 200, download.body);
      const exported = await service.get(
        `/v1/providers/export?${query}&format=${format}`,
      );
      assert.equal(download.body, mark + exported.body);
      for (const name of ["content-type", "snapshot", "x-total-count"])
        assert.equal(download.headers[name], exported.headers[name], name);
      const zipped = await service.ask({
        url,
        headers: { "accept-encoding": "gzip" },
      });
      assert.equal(zipped.headers["content-encoding"], "gzip");
    }
});

function inBoston(number: number, values: Record<string, string>) {
  const npi = inventedNpi(200_000_000 + number);
  const row = rawRow({ npi, state: "MA", city: "BOSTON" }, [
    { code: "207Q00000X", primary: "Y" },
  ]);
  return { ...row, ...values };
}

/** Providers with the part `identity` of the details, or none. */
async function callList(details: readonly DetailPart[]) {
  const registry = new SmallRegistry();
  const practice = "Provider Business Practice Location Address";
  const address = "Business Practice Location Address";
  const rows = [
    inBoston(1, {
      "Entity Type Code": "1",
      "Provider Last Name (Legal Name)": "NÚÑEZ",
      "Provider First Name": "ZOË",
      [`Provider First Line ${address}`]: "1 INVENTED ST, 2ND FLOOR",
      "Provider First Line Business Mailing Address": "-PO BOX 1",
      "Provider Business Mailing Address City Name": "BOSTON",
      "Provider Business Mailing Address State Name": "MA",
      "Provider Business Mailing Address Postal Code": "021120456",
      "Provider Business Mailing Address Country Code (If outside U.S.)": "US",
      [`${practice} Postal Code`]: "021080123",
      [`${practice} Telephone Number`]: "+44 20 7946 0958",
    }),
    inBoston(2, {
      "Entity Type Code": "2",
      "Provider Organization Name (Legal Business Name)": "=1+1 CLINIC",
      [`${practice} Postal Code`]: "02109",
      [`${practice} Telephone Number`]: "6175550100",
      [`${practice} Fax Number`]: "@6175550101",
    }),
  ];
  await registry.import(FULL, rows, { details: new Set(details) });
  return registry;
}

test("CSV opens in spreadsheets as UTF-8, with the columns of a call list, and runs no formula", async () => {
  await using service = await startOpen();
  using registry = await callList(["identity"]);
  using directory = registry.directory();
  service.data.directory = directory;
  const { headers, rawPayload } = await service.ask({
    url: "/explore/search.csv?state=MA",
  });
  const [person, clinic] = [1, 2].map((n) => inventedNpi(200_000_000 + n));
  assert.deepEqual(
    rawPayload,
    Buffer.concat([
      Buffer.of(0xef, 0xbb, 0xbf),
      Buffer.from(
        [
          "npi,last_name,first_name,organization_name,taxonomy_description,phone,fax,address_1,address_2,city,state,zip,status",
          `${person},NÚÑEZ,ZOË,,Family Medicine Physician,"'+44 20 7946 0958",,"1 INVENTED ST, 2ND FLOOR",,BOSTON,MA,02108-0123,active`,
          `${clinic},,,"'=1+1 CLINIC",Family Medicine Physician,6175550100,"'@6175550101",,,BOSTON,MA,02109,active`,
          "",
        ].join("\r\n"),
      ),
    ]),
  );
  assert.equal(
    headers["content-type"],
    "text/csv; charset=utf-8; header=present",
  );
  assert.equal(
    headers["content-disposition"],
    'attachment; filename="providers-ma.csv"',
  );
});

test("without the details, a download has no columns of them, and refuses those that are named", async () => {
  await using service = await startOpen();
  using registry = await callList([]);
  using directory = registry.directory();
  service.data.directory = directory;
  const ask = (query: string) =>
    service.ask({ url: `/explore/search.csv?${query}` });
  const { body, statusCode } = await ask("state=MA");
  assert.equal(statusCode, 200, body);
  assert.deepEqual(body.slice(1).split("\r\n").slice(0, 2), [
    "npi,last_name,first_name,organization_name,taxonomy_description,address_1,address_2,city,state,zip,status",
    `${inventedNpi(200_000_001)},NÚÑEZ,ZOË,,Family Medicine Physician,"1 INVENTED ST, 2ND FLOOR",,BOSTON,MA,02108-0123,active`,
  ]);
  const refused = await ask("columns=npi,phone");
  const { code, param } = errorOf(refused.body);
  assert.deepEqual([code, param], ["details_not_held", "columns"]);
});

test("a mailing list has mailing addresses, or practice addresses if those aren't stored", async () => {
  await using service = await startOpen();
  const linesOf = async (details: readonly DetailPart[]) => {
    using registry = await callList(details);
    using directory = registry.directory();
    service.data.directory = directory;
    const { body } = await service.ask({
      url: "/explore/search.csv?state=MA&column_set=mail",
    });
    return body.slice(1).split("\r\n");
  };
  const [person, clinic] = [1, 2].map((n) => inventedNpi(200_000_000 + n));
  const name =
    "npi,first_name,middle_name,last_name,credential,organization_name";
  assert.deepEqual(await linesOf(["mailing_address"]), [
    `${name},mailing_address_1,mailing_address_2,mailing_city,mailing_state,mailing_zip,mailing_country`,
    `${person},ZOË,,NÚÑEZ,,,"'-PO BOX 1",,BOSTON,MA,02112-0456,US`,
    `${clinic},,,,,"'=1+1 CLINIC",,,,,,`,
    "",
  ]);
  assert.deepEqual(await linesOf([]), [
    `${name},address_1,address_2,city,state,zip,country`,
    `${person},ZOË,,NÚÑEZ,,,"1 INVENTED ST, 2ND FLOOR",,BOSTON,MA,02108-0123,`,
    `${clinic},,,,,"'=1+1 CLINIC",,,BOSTON,MA,02109,`,
    "",
  ]);
});

test("everything is every column of an export that the data has, and the distance", async () => {
  await using service = await startOpen();
  using registry = await callList(["identity"]);
  using directory = registry.directory();
  service.data.directory = directory;
  const stored = ALL_COLUMNS.filter(
    (column) => !("part" in column) || column.part === "identity",
  ).map(({ name }) => name);
  const exported = await service.get(
    `/v1/providers/export?state=MA&format=csv&columns=${stored.join(",")}`,
  );
  const ask = (url: string) => service.ask({ url: `/explore/${url}` });
  const all = await ask("search.csv?state=MA&column_set=all");
  assert.equal(all.body, `\uFEFF${exported.body}`);
  const near = await ask("nearby.csv?lat=42.36&lng=-71.06&column_set=all");
  assert.equal(
    near.body.slice(1).split("\r\n")[0],
    [...stored, "distance_miles"].join(","),
  );
  for (const [query, param] of [
    ["search.csv?column_set=some", "column_set"],
    ["search.csv?column_set=all&columns=npi", "column_set"],
    ["search.ndjson?column_set=all", "columns"],
  ] as const)
    assert.deepEqual(badParameters((await ask(query)).body), [
      `${param} invalid_parameter`,
    ]);
});

test("CSV of a list around a place has the distances of the list", async () => {
  await using service = await startOpen();
  service.data.directory = await manyProviders();
  for (const sort of ["distance", "name"]) {
    const query = `zip=62701&radius=100&sort=${sort}`;
    const list = await service.ask({ url: `/explore/nearby?${query}` });
    const { data } = list.json();
    for (const columns of ["", "&columns=NPI,distance_miles"]) {
      const url = `/explore/nearby.csv?${query}${columns}`;
      const { body } = await service.ask({ url });
      const [header = ""] = body.split("\r\n");
      assert.ok(header.endsWith(",distance_miles"), header);
      assert.deepEqual(
        csvRows(body.slice(1))
          .slice(0, data.length)
          .map(({ distance_miles, npi }) => [npi, Number(distance_miles)]),
        data.map((entry: { npi: string; distance_miles: number }) => [
          entry.npi,
          entry.distance_miles,
        ]),
      );
    }
  }
  for (const path of [
    "search.csv?columns=npi,distance_miles",
    "search.ndjson?columns=npi",
    "nearby.ndjson?zip=62701&columns=npi",
  ]) {
    const refused = await service.ask({ url: `/explore/${path}` });
    assert.deepEqual(badParameters(refused.body), [
      "columns invalid_parameter",
    ]);
  }
});

test("a download around a place has the list's providers in its order, and its total", async () => {
  await using service = await startOpen();
  for (const sort of ["distance", "name"]) await sameOrder(service, sort);
});

async function sameOrder(
  service: Awaited<ReturnType<typeof startOpen>>,
  sort: string,
): Promise<void> {
  service.data.directory = await manyProviders();
  const query = `zip=62701&radius=100&status=active&sort=${sort}`;
  const { meta } = (
    await service.ask({ url: `/explore/map/nearby?${query}` })
  ).json();
  const listed: string[] = [];
  for (let page = 1; page <= 10; page++) {
    const url = `/explore/nearby?${query}&limit=100&page=${page}`;
    const { data } = (await service.ask({ url })).json();
    listed.push(...data.map(({ npi }: { npi: string }) => npi));
  }
  for (const format of ["csv", "ndjson"] as const) {
    const url = `/explore/nearby.${format}?${query}`;
    const { body, headers } = await service.ask({ url });
    assert.equal(headers["x-total-count"], String(meta.total));
    assert.deepEqual(npisOf(body, format), listed);
  }
  service.data.directory = await sampleDirectory();
  const few = `zip=62704&radius=1&location_scope=any&sort=${sort}`;
  const { data } = (
    await service.ask({ url: `/explore/nearby?${few}` })
  ).json();
  const all = await service.ask({ url: `/explore/nearby.ndjson?${few}` });
  assert.deepEqual(
    npisOf(all.body, "ndjson").slice(0, data.length),
    data.map(({ npi }: { npi: string }) => npi),
  );
}

test("a visitor's download has the first rows of a long list, and says so", async () => {
  await using service = await startOpen();
  service.data.directory = await manyProviders();
  const { body, headers } = await service.ask({
    url: "/explore/search.csv?city=springfield&state=il",
  });
  assert.equal(npisOf(body, "csv").length, MAX_DOWNLOAD_ROWS.visitor);
  assert.equal(headers["x-total-count"], String(MANY));
  assert.equal(
    headers["content-disposition"],
    'attachment; filename="providers-first-1000-springfield-il.csv"',
  );
  assert.equal(headers["cache-control"], "no-store");
  assert.equal(headers["access-control-allow-origin"], undefined);
  assert.equal(headers["access-control-expose-headers"], undefined);
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.match(String(headers["x-request-id"]), /./);
  // A spreadsheet doesn't run it.
  assert.ok(body.includes(`,"'=INVENTED CLINIC `));
  assert.ok(!/,"?=/.test(body));
});

test("a visitor's download counts as its pages of 100, all or none", async () => {
  await using service = await startOpen(4);
  service.data.directory = await manyProviders();
  const remoteAddress = "198.51.100.1";
  const ask = (url: string, method: "GET" | "HEAD" = "GET") =>
    service.ask({ method, url, remoteAddress });
  const download = await ask("/explore/search.csv");
  assert.equal(download.statusCode, 200);
  assert.match(String(download.headers.ratelimit), /^"burst";r=2;/);
  const refused = await ask("/explore/search.csv");
  assert.equal(refused.statusCode, 429);
  const { code, message } = errorOf(refused.body);
  assert.equal(code, "rate_limited");
  assert.match(message, /Try again in \d+ s/);
  assert.equal(refused.headers["content-disposition"], undefined);
  // The refused one counted as a request, and so does a head.
  const head = await ask("/explore/search.csv", "HEAD");
  assert.equal(head.statusCode, 200);
  assert.equal(head.body, "");
  assert.equal(head.headers["x-total-count"], String(MANY));
  assert.equal((await ask("/explore/search")).statusCode, 429);
  service.installation.clock.nowMs +=
    1_000 * Number(refused.headers["retry-after"]) + 500;
  assert.equal((await ask("/explore/search.csv")).statusCode, 200);
  await using slow = await startOpen(1);
  slow.data.directory = await manyProviders();
  // Fewer requests at once than its pages are.
  const whole = await slow.ask({ url: "/explore/search.csv" });
  assert.equal(whole.statusCode, 200);
  assert.match(String(whole.headers.ratelimit), /^"burst";r=0;/);
});

test("a refused download counts its matches, and gathers none", async (context) => {
  await using service = await startOpen(4);
  const directory = await manyProviders();
  service.data.directory = directory;
  let gathered = 0;
  for (const searches of [directory.search, directory.nearby]) {
    const find: (...asked: never) => FirstDocs = searches.first.bind(searches);
    context.mock.method(searches, "first", (...asked: never) => {
      const { first, total } = find(...asked);
      return {
        total,
        first() {
          gathered++;
          return first();
        },
      };
    });
  }
  const all = context.mock.method(directory.search, "all");
  for (const [index, path] of [
    "search.csv?name=invented",
    "nearby.csv?zip=62701&radius=100",
  ].entries()) {
    const remoteAddress = `198.51.100.${index}`;
    const ask = () => service.ask({ url: `/explore/${path}`, remoteAddress });
    assert.equal((await ask()).statusCode, 200);
    const before = [gathered, all.mock.callCount()];
    assert.equal(before[0], index + 1);
    assert.equal((await ask()).statusCode, 429);
    assert.deepEqual([gathered, all.mock.callCount()], before, path);
  }
});

test("an address has one download at a time, and exports keep their places", async () => {
  await using service = await startOpen();
  service.data.directory = await manyProviders();
  const ask = (remoteAddress: string) =>
    service.ask({ url: "/explore/search.ndjson", remoteAddress });
  const answers = await Promise.all([
    ...Array.from({ length: 50 }, () => ask("198.51.100.1")),
    ...Array.from({ length: 20 }, (_, index) => ask(`192.0.2.${index}`)),
    service.get("/v1/providers/export"),
  ]);
  const codes = answers.map(({ statusCode }) => statusCode);
  const own = answers
    .slice(0, 50)
    .filter(({ statusCode }) => statusCode === 429);
  assert.equal(own.length, 49);
  for (const { body, headers } of own) {
    assert.equal(errorOf(body).code, "too_many_at_once");
    assert.match(errorOf(body).message, /from your network/);
    assert.equal(headers["retry-after"], "10");
  }
  assert.deepEqual(
    codes.slice(50, 70).toSorted((a, b) => a - b),
    [...Array<number>(15).fill(200), ...Array<number>(5).fill(503)],
  );
  assert.equal(codes.at(-1), 200);
  assert.equal((await ask("198.51.100.1")).statusCode, 200);
});

test("the explorer's protection and errors are those of its lists", async () => {
  const lines: AnswerFacts[] = [];
  await using service = await startOpen(1_000, (line) => lines.push(line));
  const foreign = await service.ask({
    url: "/explore/search.csv",
    headers: { "sec-fetch-site": "cross-site" },
  });
  assert.equal(errorOf(foreign.body).code, "foreign_origin");
  for (const query of [
    "search?state=XX",
    "search?state=IL&state=MO",
    "nearby?",
    "nearby?zip=00000",
    "search?snapshot=20200101T000000000Z",
  ]) {
    const list = await service.ask({ url: `/explore/${query}` });
    const path = query.replace("?", ".csv?");
    const file = await service.ask({ url: `/explore/${path}` });
    assert.equal(file.statusCode, list.statusCode, query);
    assert.equal(errorOf(file.body).message, errorOf(list.body).message);
    assert.equal(file.headers["content-disposition"], undefined);
  }
  lines.length = 0;
  await service.ask({ url: "/explore/search.csv?state=MO" });
  assert.deepEqual(
    lines.map(({ account, cut, params, route, rows, status }) => ({
      account,
      cut,
      params,
      route,
      rows,
      status,
    })),
    [
      {
        account: null,
        cut: undefined,
        params: ["state"],
        route: "/explore/search.csv",
        rows: 1,
        status: 200,
      },
    ],
  );
  service.data.directory = null;
  const none = await service.ask({ url: "/explore/search.csv" });
  assert.equal(errorOf(none.body).code, "data_not_loaded");
});

test("names of files are plain letters, whatever the filters are", async () => {
  await using service = await startOpen();
  for (const [value, slug] of [
    ['a";\r\nX-Injected: 1\r\n\r\n', "a-x-injected-1"],
    ["../../etc/passwd", "etc-passwd"],
    ["José Núñez-Ñandú", "jose-nunez-nandu"],
    ["北京 clinic", "clinic"],
    ["=cmd|'/C calc'!A0", "cmd-c-calc-a0"],
  ] as const) {
    assert.equal(downloadName({ name: value }, null), `providers-${slug}`);
    const url = `/explore/search.csv?name=${encodeURIComponent(value)}`;
    const { headers, statusCode } = await service.ask({ url });
    assert.equal(headers["x-injected"], undefined);
    if (statusCode === 200)
      assert.equal(
        headers["content-disposition"],
        `attachment; filename="providers-${slug}.csv"`,
      );
  }
  const long = downloadName(
    { name: "x ".repeat(99), specialty: "y".repeat(99), city: "z".repeat(99) },
    1_000,
  );
  assert.match(long, /^[a-z0-9-]{1,80}$/);
  assert.equal(downloadName({}, null), "providers");
});

suiteOnBothInFull("downloads of signed-in users", (make) => {
  for (const explorer of ["open", "signed-in"] as const)
    test(`are whole, and count as exports do (${explorer})`, async () => {
      await using service = await startWithUsers(explorer, make);
      const ada = await service.signedIn(ADA);
      const whole = await ada.get("/explore/search.csv", OF_PAGE);
      assert.equal(whole.statusCode, 200, whole.body);
      assert.equal(npisOf(whole.body, "csv").length, MANY);
      assert.equal(
        whole.headers["content-disposition"],
        'attachment; filename="providers.csv"',
      );
      const empty = await ada.get("/explore/search.csv?name=zzzz", OF_PAGE);
      assert.equal(empty.statusCode, 200);
      await service.http.write();
      const counts = Math.ceil(MANY / 100) + 1;
      assert.equal((await ada.get("/account")).json().data.used, counts);
    });

  for (const explorer of ["open", "signed-in"] as const)
    test(`take of the account's limit, from any address (${explorer})`, async () => {
      await using service = await startWithUsers(explorer, make, 1);
      const ada = await service.signedIn(ADA);
      const ask = () => {
        ada.useAnotherAddress();
        return ada.get("/explore/search.csv?name=zzzz", OF_PAGE);
      };
      for (let asked = 0; asked < 3; asked++)
        assert.equal((await ask()).statusCode, 200);
      const refused = await ask();
      assert.equal(refused.statusCode, 429);
      assert.match(errorOf(refused.body).message, /for each account/);
    });

  test("that the month does not allow are refused as a whole", async () => {
    await using service = await startWithUsers("open", make);
    const ada = await service.signedIn(ADA);
    const takes = Math.ceil(MANY / 100);
    let left = 1_000;
    for (; left >= takes; left -= takes) {
      ada.useAnotherAddress();
      const { statusCode } = await ada.get("/explore/search.csv", OF_PAGE);
      assert.equal(statusCode, 200);
    }
    const refused = await ada.get("/explore/search.csv", OF_PAGE);
    assert.equal(refused.statusCode, 429);
    const { code, message } = errorOf(refused.body);
    assert.equal(code, "quota_exceeded");
    assert.ok(
      message.startsWith(
        `This request counts as ${takes}, and only ${left} of 1000 are left this month.`,
      ),
      message,
    );
    assert.equal(refused.headers["content-disposition"], undefined);
    const one = await ada.get(
      "/explore/nearby.csv?zip=62701&radius=1&limit=5",
      OF_PAGE,
    );
    assert.equal(one.statusCode, 200);
    await service.http.write();
    const { remaining } = (await ada.get("/account")).json().data;
    assert.equal(
      remaining,
      left - Math.ceil(npisOf(one.body, "csv").length / 100),
    );
    for (let spent = 0; spent < remaining; spent++) {
      ada.useAnotherAddress();
      await ada.get("/explore/search.csv?name=zzzz", OF_PAGE);
    }
    const empty = await ada.get("/explore/search.csv?name=zzzz", OF_PAGE);
    assert.equal(empty.statusCode, 429);
    assert.ok(
      errorOf(empty.body).message.startsWith(
        "All 1000 requests for this month",
      ),
    );
  });
});

test("only a script of the service's own pages can spend a user's month", async () => {
  await using service = await startWithUsers("open");
  const ada = await service.signedIn(ADA);
  for (const headers of [
    // A link in a mail, or a browser that doesn't say where it comes from.
    { "sec-fetch-site": "none" },
    { origin: "" },
    { ...OF_PAGE, "sec-fetch-site": "cross-site" },
    { ...OF_PAGE, origin: "https://evil.example" },
  ]) {
    const refused = await ada.get("/explore/search.csv", headers);
    assert.equal(refused.statusCode, 403, JSON.stringify(headers));
    assert.equal(errorOf(refused.body).code, "foreign_origin");
  }
  await service.http.write();
  assert.equal((await ada.get("/account")).json().data.used, 0);
});

test("strangers are visitors of an open explorer, and get nothing of a closed one", async () => {
  {
    await using service = await startWithUsers("open");
    const stranger = service.browser();
    stranger.cookies.set("better-auth.session_token", "made-up.signature");
    const visited = await stranger.get("/explore/search.csv");
    assert.equal(visited.statusCode, 200);
    assert.equal(npisOf(visited.body, "csv").length, MAX_DOWNLOAD_ROWS.visitor);
    const ada = await service.signedIn(ADA);
    await service.http.installation.accounts.users.suspend(ADA);
    const refused = await ada.get("/explore/search.csv", OF_PAGE);
    assert.equal(errorOf(refused.body).code, "account_suspended");
  }
  await using service = await startWithUsers("signed-in");
  const refused = await service.browser().get("/explore/search.csv", OF_PAGE);
  assert.equal(refused.statusCode, 401);
  assert.equal(errorOf(refused.body).code, "sign_in_required");
});
