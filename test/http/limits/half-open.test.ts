import assert from "node:assert/strict";
import { connect } from "node:net";
import test from "node:test";
import { rawGet } from "../../support/program/raw-http.ts";
import {
  startHttpService,
  type HttpService,
} from "../../support/service/http-service.ts";
import { SAMPLE } from "../../support/service/sample-directory.ts";

/** Sends a request, closes the client's side, and returns all that comes back. */
async function askHalfOpen(
  service: HttpService,
  path: string,
): Promise<string> {
  const port = await service.listen();
  service.installation.clock.nowMs += 1_000;
  const client = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  client.end(
    rawGet(path, [
      "Host: directory.example",
      `Authorization: Bearer ${service.paidKey}`,
    ]),
  );
  let text = "";
  for await (const piece of client) text += String(piece);
  return text;
}

for (const path of [
  `/v1/providers/${SAMPLE.person}`,
  `/v1/providers/${SAMPLE.person}?include=all`,
  `/v1/providers?npi=${SAMPLE.person}`,
  "/v1/providers/search?limit=100",
  "/v1/providers/export?include=identity",
  "/v1/status",
  "/openapi.json",
])
  test(`a client that closes its side after GET ${path} gets the whole answer`, async () => {
    await using service = await startHttpService();
    const whole = await service.get(path);
    const text = await askHalfOpen(service, path);
    assert.match(text, /^HTTP\/1\.1 200 /);
    const [lastLine = ""] = whole.body.trimEnd().split("\n").slice(-1);
    assert.ok(text.trimEnd().replace(/\s+0$/, "").endsWith(lastLine));
  });
