import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { after, test } from "node:test";
import { localCall } from "../../../src/cli/commands/registry/answer-locally.ts";
import { UNLIMITED } from "../../../src/http/access/caller.ts";
import { MAX_ACCOUNT_BATCH_CHARACTERS } from "../../../src/http/limits/server-limits.ts";
import { Refusal } from "../../../src/http/pipeline/failure.ts";
import { WorkInPieces } from "../../../src/http/pipeline/work-in-pieces.ts";
import { until } from "../../support/pure/until.ts";

/** More than the system takes of an answer that is not read. */
const PIECE = MAX_ACCOUNT_BATCH_CHARACTERS / 4;
const PATHS = ["/1", "/1", "/1", "/1"];

test("unread answers keep an account's share until their clients are gone", async () => {
  const { port } = await service();
  const slow = await Promise.all(PATHS.map((path) => unreadAnswer(port, path)));
  const refused = await fetch(`http://127.0.0.1:${port}/1`);
  assert.equal(await refused.text(), "too_many_at_once");
  const other = await fetch(`http://127.0.0.1:${port}/2`);
  assert.equal((await other.text()).length, PIECE);
  for (const socket of slow) socket.destroy();
  await until("the share to be free", async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/1`);
    return (await answer.text()).length === PIECE;
  });
});

test("answers that are read give their share back", async () => {
  const { port } = await service();
  for (let each = 0; each < 6; each++) {
    const answer = await fetch(`http://127.0.0.1:${port}/1`);
    assert.equal((await answer.text()).length, PIECE);
  }
});

/** Answers `/ACCOUNT` with a piece of work, or with the code of its failure. */
async function service(): Promise<{ port: number }> {
  const work = new WorkInPieces();
  const server = createServer((request, response) => {
    const { url = "" } = request;
    const party = Number(url.slice(1));
    const caller = { ...UNLIMITED, party };
    const call = { ...localCall(url, () => undefined), caller, response };
    work.doAll(call, [PIECE].values()).then(
      () => response.end("x".repeat(PIECE)),
      (error: unknown) =>
        response.end(error instanceof Refusal ? error.failure.code : ""),
    );
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return { port: address.port };
}

/** Sends a request, and reads no more than the start of its answer. */
async function unreadAnswer(port: number, path: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  after(() => socket.destroy());
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await once(socket, "readable");
  return socket;
}
