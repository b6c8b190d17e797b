import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import type { InjectOptions, Response } from "light-my-request";
import {
  askApp,
  startHttpService,
  type HttpService,
} from "../support/app/http-service.ts";
import { SAMPLE } from "../support/pure/engine/sample-directory.ts";

const ON = { settings: { mcp: "on" } } as const;
const METADATA = "/.well-known/oauth-protected-resource/mcp";
const META = "io.modelcontextprotocol";

/** A message of revision 2026-07-28. */
function message(
  method = "tools/list",
  params: object = {},
  version = "2026-07-28",
): object {
  const _meta = {
    [`${META}/protocolVersion`]: version,
    [`${META}/clientInfo`]: { name: "test", version: "1" },
    [`${META}/clientCapabilities`]: {},
  };
  return { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } };
}

/** Sends a message, or something else, with the paid key. */
function post(
  { app, installation, paidKey }: HttpService,
  payload: object | string,
  headers: Record<string, string | undefined> = {},
  options: InjectOptions = {},
): Promise<Response> {
  installation.clock.nowMs += 1_000;
  const all = {
    authorization: `Bearer ${paidKey}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/list",
    host: "localhost:8080",
    ...headers,
  };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return askApp(app, {
    method: "POST",
    url: "/mcp",
    headers: Object.fromEntries(given),
    payload: typeof payload === "string" ? payload : JSON.stringify(payload),
    ...options,
  });
}

function errorIn({ body }: Response): { code: unknown; message: string } {
  return JSON.parse(body).error;
}

/** Reads the result of a tool, in JSON or in an event. */
function resultIn(body: string): {
  content: { type: string; uri?: string; text?: string }[];
} {
  return JSON.parse(body.slice(body.indexOf("{"))).result;
}

suite("POST /mcp", () => {
  test("is off by default", async () => {
    await using service = await startHttpService();
    assert.equal((await post(service, message())).statusCode, 404);
    assert.equal((await service.get(METADATA)).statusCode, 404);
  });

  test("gives the address of all rows as a link, or as text where revisions have no links", async () => {
    await using service = await startHttpService(ON);
    const params = { name: "search_providers", arguments: { limit: 1 } };
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    for (const [revision, type] of [
      [undefined, "text"],
      ["2024-11-05", "text"],
      ["2025-03-26", "text"],
      ["2025-06-18", "resource_link"],
      ["2025-11-25", "resource_link"],
    ]) {
      const { body } = await post(service, call, {
        "mcp-protocol-version": revision,
        "mcp-method": undefined,
      });
      const [, link] = resultIn(body).content;
      assert.equal(link?.type, type, body);
      assert.match(
        link?.uri ?? link?.text ?? "",
        /http:\/\/\S+\/v1\/providers/,
      );
    }
  });

  test("needs a key, and says so as OAuth's clients expect", async () => {
    for (const publicUrl of [null, "https://npi.example.org/dir"]) {
      await using service = await startHttpService({ ...ON, publicUrl });
      const base = publicUrl ?? "http://localhost:8080";
      const metadata = `resource_metadata="${base}${METADATA}"`;
      for (const [authorization, challenge] of [
        [undefined, `Bearer ${metadata}`],
        ["Bearer nothing", `Bearer error="invalid_token", ${metadata}`],
      ]) {
        const refused = await post(service, message(), { authorization });
        assert.equal(refused.statusCode, 401);
        assert.equal(refused.headers["www-authenticate"], challenge);
      }
      const described = await service.ask({
        url: METADATA,
        headers: { host: "localhost:8080" },
      });
      assert.deepEqual(JSON.parse(described.body), {
        resource: `${base}/mcp`,
        bearer_methods_supported: ["header"],
        resource_name: "Provider Directory Service",
        resource_documentation: `${base}/docs`,
      });
    }
  });

  test("refuses pages of other sites, and names that were rebound to this machine", async () => {
    const cases: [string | null, string, string, number][] = [
      [null, "http://localhost:8080", "localhost:8080", 200],
      [null, "http://127.0.0.1:8080", "127.0.0.1:8080", 200],
      [null, "http://[::1]:8080", "[::1]:8080", 200],
      [null, "http://localhost:9", "localhost:8080", 403],
      [null, "http://evil.example", "localhost:8080", 403],
      [null, "http://evil.example", "evil.example", 403],
      [null, "null", "localhost:8080", 403],
      ["https://npi.example", "https://npi.example", "npi.example", 200],
      ["https://npi.example", "https://npi.example", "inner:8080", 200],
      ["https://npi.example", "http://npi.example", "npi.example", 403],
      ["https://npi.example", "https://evil.example", "npi.example", 403],
    ];
    for (const [publicUrl, origin, host, status] of cases) {
      await using service = await startHttpService({ ...ON, publicUrl });
      const { headers, statusCode } = await post(service, message(), {
        origin,
        host,
      });
      assert.deepEqual([origin, host, statusCode], [origin, host, status]);
      assert.equal("access-control-allow-origin" in headers, false);
    }
  });

  test("accepts no other method", async () => {
    await using service = await startHttpService(ON);
    for (const method of ["GET", "DELETE", "PUT", "OPTIONS"] as const) {
      const refused = await post(service, "", {}, { method });
      assert.equal(refused.statusCode, 405);
      assert.equal(refused.headers["allow"], "POST");
    }
  });

  test("refuses bodies that are too large, no JSON, or too many messages", async () => {
    await using service = await startHttpService(ON);
    const large = await post(service, " ".repeat(65_537));
    assert.equal(large.statusCode, 413);
    const text = await post(service, "{}", { "content-type": "text/plain" });
    assert.equal(text.statusCode, 415);
    const broken = await post(service, "{", {
      "mcp-protocol-version": undefined,
    });
    assert.equal(broken.statusCode, 400);
    assert.equal(errorIn(broken).code, -32_700);
    const pings = Array.from({ length: 11 }, (_, id) => ({
      jsonrpc: "2.0",
      id,
      method: "ping",
    }));
    const legacy = {
      "mcp-protocol-version": undefined,
      "mcp-method": undefined,
    };
    const batch = await post(service, pings, legacy);
    assert.equal(batch.statusCode, 400);
    assert.equal(errorIn(batch).code, -32_600);
    const few = await post(service, pings.slice(1), legacy);
    assert.equal(few.statusCode, 200);
    const note = { jsonrpc: "2.0", method: "notifications/initialized" };
    const noted = await post(service, note, legacy);
    assert.deepEqual([noted.statusCode, noted.body], [202, ""]);
    assert.equal(noted.headers["content-type"], undefined);
    const deep = "[".repeat(30_000);
    assert.equal((await post(service, deep, legacy)).statusCode, 400);
  });

  test("refuses a client that lies about its revision", async () => {
    await using service = await startHttpService(ON);
    const lies: [object, Record<string, string>, number][] = [
      [message(), { "mcp-protocol-version": "2025-11-25" }, -32_020],
      [message(), { "mcp-method": "tools/call" }, -32_020],
      [
        message("tools/list", {}, "2031-01-01"),
        { "mcp-protocol-version": "2031-01-01" },
        -32_022,
      ],
    ];
    for (const [body, headers, code] of lies) {
      const refused = await post(service, body, headers);
      assert.equal(refused.statusCode, 400);
      assert.equal(errorIn(refused).code, code);
    }
    const old = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const unknown = await post(service, old, {
      "mcp-protocol-version": "1999-01-01",
    });
    assert.equal(unknown.statusCode, 400);
  });

  test("opens no stream that stays open", async () => {
    await using service = await startHttpService(ON);
    const listen = "subscriptions/listen";
    const answered = await post(
      service,
      message(listen, { notifications: { toolsListChanged: true } }),
      { "mcp-method": listen },
    );
    assert.match(errorIn(answered).message, /limit reached/);
  });

  test("takes one token of the burst limit a request, and says what is left", async () => {
    await using service = await startHttpService(ON);
    const call = message("tools/call", {
      name: "lookup_providers",
      arguments: { npis: [SAMPLE.person] },
    });
    const headers = {
      "mcp-method": "tools/call",
      "mcp-name": "lookup_providers",
    };
    const first = await post(service, call, headers);
    assert.equal(first.headers["x-ratelimit-remaining"], "24999");
    assert.match(String(first.headers["ratelimit"]), /"burst";r=49;/);
    assert.equal(first.headers["cache-control"], "no-store");
  });
});

test("server.json is a template for the public registry, of what exists", () => {
  const root = new URL("../../", import.meta.url);
  const server = JSON.parse(readFileSync(new URL("server.json", root), "utf8"));
  const { version } = JSON.parse(
    readFileSync(new URL("package.json", root), "utf8"),
  );
  assert.match(server.$schema, /\/2025-12-11\/server\.schema\.json$/);
  assert.match(server.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  assert.ok(server.description.length <= 100);
  assert.equal(server.version, version);
  const [remote] = server.remotes;
  assert.equal(remote.type, "streamable-http");
  assert.equal(remote.url, "https://{host}/mcp");
  assert.deepEqual(Object.keys(remote.variables), ["host"]);
  const [header] = remote.headers;
  assert.deepEqual(
    [header.name, header.isSecret, header.isRequired, header.value],
    ["Authorization", true, true, "Bearer {api_key}"],
  );
  assert.deepEqual(Object.keys(header.variables), ["api_key"]);
});
