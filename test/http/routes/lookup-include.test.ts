import assert from "node:assert/strict";
import test from "node:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { pino } from "pino";
import { DETAIL_PARTS } from "../../../src/contract/detail-parts.ts";
import {
  IDENTIFIER_TYPES,
  OTHER_NAME_TYPES,
} from "../../../src/contract/provider-fields.ts";
import { errorOf } from "../../support/pure/http-error.ts";
import { startHttpService } from "../../support/app/http-service.ts";
import { SAMPLE } from "../../support/pure/engine/sample-directory.ts";
import {
  FULL,
  npiOf,
  people,
  SmallRegistry,
} from "../../support/pure/registry/small-registry.ts";
import { importZip } from "../../support/pure/registry/registry-zip.ts";

const ALL = DETAIL_PARTS.join(",");

test("include adds the requested fields at the end of the record, in a fixed order, and changes nothing else", async () => {
  await using service = await startHttpService();
  const url = `/v1/providers/${SAMPLE.person}`;
  const plain = (await service.get(url)).json();
  for (const [include, members] of [
    ["identity,taxonomies", ["taxonomies", "identity"]],
    ["Locations", ["locations"]],
    [" other_names , identity", ["other_names", "identity"]],
    ["endpoints,mailing_address", ["mailing_address", "endpoints"]],
    [ALL, ALL.split(",")],
    ["all", ALL.split(",")],
    ["identity,ALL", ALL.split(",")],
    ["", []],
  ] as const) {
    const { body, statusCode } = await service.get(
      `${url}?include=${encodeURIComponent(include)}`,
    );
    assert.equal(statusCode, 200);
    const answer = JSON.parse(body);
    assert.deepEqual(Object.keys(answer.data), [
      ...Object.keys(plain.data),
      ...members,
    ]);
    for (const member of members) delete answer.data[member];
    assert.deepEqual(answer, plain);
  }
});

test("endpoints have the registry's codes with their descriptions, and where they are used", async () => {
  await using service = await startHttpService();
  using registry = new SmallRegistry();
  const npi = npiOf(1);
  await importZip(registry, "20050523-20261108", {
    rows: people(2),
    otherNames: null,
    locations: null,
    endpoints: [
      {
        NPI: npi,
        "Endpoint Type": "DIRECT",
        "Endpoint Type Description": "Direct Messaging Address",
        Endpoint: "pat@direct.example",
        Affiliation: "Y",
        "Affiliation Legal Business Name": "INVENTED CLINIC",
        "Use Code": "HIE",
        "Use Description": "Health Information Exchange (HIE)",
        "Content Type": "OTHER",
        "Content Description": "Other",
        "Other Content Description": "Anything",
        "Affiliation Address Line One": "1 INVENTED WAY",
        "Affiliation Address City": "CHICAGO",
        "Affiliation Address State": "Illinois",
        "Affiliation Address Country": "US",
        "Affiliation Address Postal Code": "606010001",
      },
      { NPI: npi, Endpoint: "https://fhir.example", Affiliation: "N" },
    ],
  });
  using directory = registry.directory();
  service.data.directory = directory;
  const answer = await service.get(`/v1/providers/${npi}?include=endpoints`);
  const nothing = {
    type: null,
    address: null,
    description: null,
    affiliation: null,
    affiliation_name: null,
    use: null,
    other_use: null,
    content_type: null,
    other_content_type: null,
    location: null,
  };
  const { endpoints } = answer.json().data;
  assert.deepEqual(Object.keys(endpoints[0]), Object.keys(nothing));
  assert.deepEqual(endpoints, [
    {
      ...nothing,
      type: { code: "DIRECT", description: "Direct Messaging Address" },
      address: "pat@direct.example",
      affiliation: true,
      affiliation_name: "INVENTED CLINIC",
      use: { code: "HIE", description: "Health Information Exchange (HIE)" },
      content_type: { code: "OTHER", description: "Other" },
      other_content_type: "Anything",
      location: {
        address_1: "1 INVENTED WAY",
        address_2: null,
        city: "CHICAGO",
        state: "IL",
        postal_code: "606010001",
        country: "US",
      },
    },
    { ...nothing, address: "https://fhir.example", affiliation: false },
  ]);
});

test("include=all is what is stored, and nothing if nothing is; the status lists it", async () => {
  await using service = await startHttpService();
  for (const details of [
    new Set(["locations", "identifiers", "identity"] as const),
    new Set<never>(),
  ]) {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(2), { details });
    using directory = registry.directory();
    service.data.directory = directory;
    const url = `/v1/providers/${npiOf(1)}`;
    const stored = details.size === 0 ? [] : ["identity", "identifiers"];
    const plain = (await service.get(url)).json();
    const all = (await service.get(`${url}?include=all`)).json();
    assert.deepEqual(Object.keys(all.data), [
      ...Object.keys(plain.data),
      ...stored,
    ]);
    const status = (await service.get("/v1/status")).json();
    assert.deepEqual(status.data.details, stored);
  }
});

test("a part that is not stored is an error, free, that lists the stored ones", async () => {
  await using service = await startHttpService();
  using registry = new SmallRegistry();
  // A plain CSV has neither other names nor locations.
  await registry.import(FULL, people(2));
  using directory = registry.directory();
  service.data.directory = directory;
  const url = `/v1/providers/${npiOf(1)}?include=`;
  const before = remaining(await service.get(`${url}identity`));
  const refused = await service.get(`${url}locations,identity,other_names`);
  const { code, message, param, status } = errorOf(refused.body);
  assert.deepEqual([status, code, param], [400, "details_not_held", "include"]);
  assert.match(
    message,
    /^This installation does not store other_names, locations, only taxonomies, identity, mailing_address, identifiers\. .*--details all\.$/,
  );
  assert.equal(remaining(refused), before);
});

test("an answer with include has its own tag, which does not depend on the requested order", async () => {
  await using service = await startHttpService();
  const tagOf = async (query: string): Promise<string> => {
    const url = `/v1/providers/${SAMPLE.person}${query}`;
    return String((await service.get(url)).headers["etag"]);
  };
  const tags = [
    await tagOf(""),
    await tagOf("?include=identity"),
    await tagOf("?include=identity,taxonomies"),
  ];
  assert.equal(new Set(tags).size, 3);
  assert.equal(await tagOf("?include=taxonomies,IDENTITY"), tags[2]);
  const held = await service.get(
    `/v1/providers/${SAMPLE.person}?include=identity,taxonomies`,
    { "if-none-match": tags[2]! },
  );
  assert.equal(held.statusCode, 304);
});

test("HEAD answers like GET, without the body; an unknown NPI is not found, and counts", async () => {
  await using service = await startHttpService();
  const url = `/v1/providers/${SAMPLE.person}?include=identity`;
  const got = await service.get(url);
  const head = await service.ask({
    method: "HEAD",
    url,
    headers: { authorization: `Bearer ${service.paidKey}` },
  });
  assert.equal(head.statusCode, 200);
  assert.equal(head.body, "");
  assert.equal(head.headers["content-length"], got.headers["content-length"]);
  const before = remaining(head);
  const unknown = await service.get(
    `/v1/providers/${SAMPLE.absent}?include=identity`,
  );
  assert.equal(errorOf(unknown.body).code, "provider_not_found");
  assert.equal(remaining(unknown), before - 1);
});

test("unreadable details are their own error, free and logged; the record is still served", async () => {
  const lines: string[] = [];
  const logger = pino(
    { level: "error" },
    { write: (line) => lines.push(line) },
  );
  await using service = await startHttpService({ logger });
  using registry = new SmallRegistry();
  await registry.import(FULL, people(2));
  const path = `${registry.detailsPath()}-${registry.snapshot().metadata.id}`;
  const bytes = readFileSync(path);
  bytes.fill("?", bytes.indexOf("207Q00000X"), bytes.length);
  using intact = registry.directory();
  service.data.directory = intact;
  const url = `/v1/providers/${npiOf(1)}`;
  const before = await service.get(`${url}?include=identity`);
  assert.equal(before.statusCode, 200);
  writeFileSync(path, bytes);
  const { body, headers, statusCode } = await service.get(
    `${url}?include=identity`,
  );
  assert.equal(statusCode, 500);
  assert.equal(errorOf(body).code, "details_unreadable");
  assert.equal(remaining({ headers }), remaining(before));
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /cannot read a provider's details/);
  assert.equal((await service.get(url)).statusCode, 200);
});

test("the registry's own API uses the same codes", (t) => {
  const folder = new URL(
    "../../../../shared/data/npi-registry-api/",
    import.meta.url,
  );
  if (!existsSync(folder))
    return t.skip("the folder of the registry's own answers is not there");
  const types = new Map<string, string>();
  const identifiers = new Map<string, string>();
  for (const file of readdirSync(folder)) {
    const text = readFileSync(new URL(file, folder), "utf8");
    for (const [, list = ""] of text.matchAll(/"other_names":\s*\[([^\]]*)/g))
      for (const object of list.split("}")) {
        const code = /"code":\s*"(\d)"/.exec(object)?.[1];
        const type = /"type":\s*"([^"]+)"/.exec(object)?.[1];
        if (code !== undefined && type !== undefined) types.set(code, type);
      }
    for (const [, code = "", meaning = ""] of text.matchAll(
      /"identifier":[^}]*"code":\s*"(\d+)",\s*"desc":\s*"([^"]+)"/g,
    ))
      identifiers.set(code, meaning);
  }
  assert.ok(types.size > 0);
  for (const [code, type] of types)
    assert.equal(OTHER_NAME_TYPES.get(code), type);
  assert.ok(identifiers.size > 1);
  for (const [code, meaning] of identifiers)
    assert.equal(IDENTIFIER_TYPES.get(code), meaning.toUpperCase());
});

function remaining({ headers }: { headers: object }): number {
  return Number(Reflect.get(headers, "x-ratelimit-remaining"));
}
