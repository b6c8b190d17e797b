import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import test from "node:test";
import { rawGet } from "../../support/pure/raw-http.ts";
import {
  startHttpService,
  type HttpService,
} from "../../support/app/http-service.ts";
import { SAMPLE } from "../../support/pure/engine/sample-directory.ts";

const HOST = "Host: directory.example";

/** Sends bytes, closes the client's side, and returns all that comes back. */
async function sendHalfOpen(
  service: HttpService,
  sent: string | Buffer,
): Promise<string> {
  const port = await service.listen();
  service.installation.clock.nowMs += 1_000;
  const client = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  client.end(sent);
  return text(client);
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
    const answer = await sendHalfOpen(
      service,
      rawGet(path, [HOST, `Authorization: Bearer ${service.paidKey}`]),
    );
    assert.match(answer, /^HTTP\/1\.1 200 /);
    const [lastLine = ""] = whole.body.trimEnd().split("\n").slice(-1);
    assert.ok(answer.trimEnd().replace(/\s+0$/, "").endsWith(lastLine));
  });

for (const [sent, statuses] of [
  [`GET /healthz HTTP/1.1\r\n${HOST}\r\n\r\n`, [200]],
  [`GET /healthz HTTP/1.1\r\n${HOST}\r\n\r\n`.repeat(9), Array(9).fill(200)],
  [`GET /healthz HTTP/1.1\r\n${HOST}\r\n\r\nGET /hea`, [200, 400]],
  [`GET /v1/taxonomies HTTP/1.1\r\n${HOST}\r\n\r\nGET /hea`, [401, 400]],
  [`CONNECT directory.example:443 HTTP/1.1\r\n${HOST}\r\n\r\n`, [405]],
  [`GET /hea`, [400]],
  ["", []],
] as const)
  test(`a client that closes its side after ${JSON.stringify(sent.slice(0, 70))} is answered with ${statuses.join(", ") || "nothing"}`, async () => {
    await using service = await startHttpService();
    const all = await sendHalfOpen(service, sent);
    const answers = all.match(/(?<=HTTP\/1\.1 )[0-9]{3}/g) ?? [];
    assert.deepEqual(answers.map(Number), statuses);
  });

test("after CONNECT, the end of a connection does not reach its parser, which another one may have", async () => {
  await using service = await startHttpService();
  const port = await service.listen();
  const accepted = once(service.app.server, "connection");
  const client = connect(port, "127.0.0.1");
  const [socket]: Socket[] = await accepted;
  assert.equal(socket?.listenerCount("end"), 1);
  client.write(`CONNECT directory.example:443 HTTP/1.1\r\n${HOST}\r\n\r\n`);
  await once(client, "data");
  assert.equal(socket.listenerCount("end"), 0);
  client.destroy();
});
