import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import test from "node:test";
import {
  AccountShares,
  readerOf,
} from "../../../src/http/limits/account-share.ts";
import { SCARCE_BEHIND_MS } from "../../../src/http/limits/server-limits.ts";

/** A wait that only a hang reaches, in milliseconds. */
const HANG_MS = 60_000;

test("an account takes up to its limit, and gets it back when a request ends", () => {
  const shares = new AccountShares({ all: 10, account: 6 });
  const first = shares.open(1);
  assert.equal(first.take(4), null);
  assert.equal(first.take(2), null);
  assert.equal(first.take(1)?.code, "too_many_at_once");
  assert.equal(shares.open(1).take(1)?.code, "too_many_at_once");
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  assert.equal(shares.open(1).take(6), null);
});

test("all accounts together take up to the thread's limit", () => {
  const shares = new AccountShares({ all: 10, account: 6 });
  const first = shares.open(1);
  assert.equal(first.take(6), null);
  const second = shares.open(2);
  assert.equal(second.take(5)?.code, "service_busy");
  assert.equal(second.take(4), null);
  first[Symbol.dispose]();
  assert.equal(shares.open(3).take(6), null);
});

test("a request waits for others of its account, in order of arrival", async () => {
  const shares = new AccountShares({ all: 10, account: 2 });
  const running = [shares.open(1), shares.open(1)];
  for (const share of running) assert.equal(share.take(1), null);
  const responses = [responseOf(), responseOf(), responseOf()];
  const ends: string[] = [];
  const waiting = responses.map(async (response, index) => {
    const failure = await shares.open(1).takeInTurn(1, response, HANG_MS);
    ends.push(`${index} ${failure?.code ?? "taken"}`);
  });
  assert.equal(await shares.open(2).takeInTurn(2, responseOf(), HANG_MS), null);
  assert.deepEqual(ends, []);
  responses[0]?.emit("close");
  await waiting[0];
  running[0]?.[Symbol.dispose]();
  await waiting[1];
  assert.deepEqual(ends, ["0 too_many_at_once", "1 taken"]);
  running[1]?.[Symbol.dispose]();
  await waiting[2];
  const late = await shares.open(1).takeInTurn(1, responseOf(), 1);
  assert.equal(late?.code, "too_many_at_once");
  assert.equal(ends.at(-1), "2 taken");
});

function responseOf() {
  return new ServerResponse(new IncomingMessage(new Socket()));
}

/** A reader that is so far behind. */
function readerBehind(milliseconds: number) {
  const reader = {
    isDisplaced: false,
    behindMs: () => milliseconds,
    displace: () => void (reader.isDisplaced = true),
  };
  return reader;
}

/** Takes an amount for a reader. */
function readFor(
  shares: AccountShares,
  account: number,
  behindMs: number,
  amount = 1,
) {
  const share = shares.open(account);
  const failure = share.take(amount);
  assert.equal(failure, null);
  const reader = readerBehind(behindMs);
  share.readBy(reader);
  return { reader, share };
}

test("an account that has nothing displaces the slowest reader of the account that has the most", () => {
  const shares = new AccountShares({ all: 5, account: 3 });
  const read = [
    [1, 10],
    [1, 30],
    [1, 20],
    [2, 90],
    [2, 80],
  ].map(([account = 0, behindMs = 0]) => readFor(shares, account, behindMs));
  const displaced = () =>
    read.flatMap(({ reader }, index) => (reader.isDisplaced ? [index] : []));
  readFor(shares, 3, 0);
  assert.deepEqual(displaced(), [1]);
  assert.equal(shares.open(3).take(1)?.code, "service_busy");
  assert.equal(shares.open(1).take(1)?.code, "service_busy");
  readFor(shares, 4, 0);
  assert.deepEqual(displaced(), [1, 3]);
  // A displaced share has nothing left to give back.
  read[1]?.share[Symbol.dispose]();
  readFor(shares, 5, 0);
  assert.deepEqual(displaced(), [1, 2, 3]);
  assert.equal(shares.open(6).take(1)?.code, "service_busy");
});

test("of accounts with one place each, only a reader that is far behind is displaced", () => {
  const shares = new AccountShares({ all: 3, account: 2 });
  readFor(shares, 1, SCARCE_BEHIND_MS);
  const { reader } = readFor(shares, 2, SCARCE_BEHIND_MS + 2);
  const { reader: other } = readFor(shares, 3, SCARCE_BEHIND_MS + 1);
  assert.equal(shares.open(1).take(1)?.code, "service_busy");
  readFor(shares, 4, 0);
  assert.deepEqual([reader.isDisplaced, other.isDisplaced], [true, false]);
  readFor(shares, 5, 0);
  assert.equal(other.isDisplaced, true);
  assert.equal(shares.open(6).take(1)?.code, "service_busy");
});

test("a request displaces no reader before its own answer is sent, and one at a time", () => {
  const shares = new AccountShares({ all: 2, account: 2 });
  const { reader } = readFor(shares, 1, 0);
  const { reader: second } = readFor(shares, 1, 1);
  const refused = shares.open(2);
  assert.equal(refused.take(1), null);
  assert.equal(shares.open(3).take(1)?.code, "service_busy");
  refused[Symbol.dispose]();
  assert.equal(second.isDisplaced, false);
  readFor(shares, 3, 0);
  assert.deepEqual([reader.isDisplaced, second.isDisplaced], [false, true]);
});

test("a request whose client has gone before its answer is sent is no reader, and displaces none", () => {
  const shares = new AccountShares({ all: 1, account: 1 });
  const gone = shares.open(1);
  assert.equal(gone.take(1), null);
  gone[Symbol.dispose]();
  gone.readBy(readerBehind(60_000));
  readFor(shares, 2, 0);
  // Else it would seem that the reader that has gone can give way.
  assert.equal(shares.open(3).take(1)?.code, "service_busy");
});

test("a request whose reader to displace has caught up does not keep others from displacing", () => {
  const shares = new AccountShares({ all: 1, account: 1 });
  let behindMs = SCARCE_BEHIND_MS + 1_000;
  const share = shares.open(1);
  assert.equal(share.take(1), null);
  share.readBy({ behindMs: () => behindMs, displace: () => {} });
  const newcomer = shares.open(2);
  assert.equal(newcomer.take(1), null);
  behindMs = 0;
  const reader = readerBehind(SCARCE_BEHIND_MS + 1_500);
  newcomer.readBy(reader);
  behindMs = SCARCE_BEHIND_MS + 2_000;
  readFor(shares, 3, 0);
  assert.equal(reader.isDisplaced, true);
  assert.equal(shares.open(4).take(1)?.code, "service_busy");
});

test("amounts give way until there is enough", () => {
  const shares = new AccountShares({ all: 100, account: 60 });
  const small = [1, 2, 3].map((behindMs) => readFor(shares, 1, behindMs, 20));
  const { reader: large } = readFor(shares, 2, 9_000, 40);
  const share = shares.open(3);
  for (let piece = 0; piece < 5; piece++) assert.equal(share.take(5), null);
  share.readBy(readerBehind(0));
  assert.deepEqual(
    small.map(({ reader }) => reader.isDisplaced),
    [false, false, true],
  );
  assert.equal(large.isDisplaced, true);
  assert.equal(shares.open(3).take(35), null);
  assert.equal(shares.open(1).take(1)?.code, "service_busy");
});

test("a large answer that its client doesn't read gives way to another account's", async () => {
  const shares = new AccountShares<string>({ all: 2, account: 2 });
  const body = Buffer.alloc(20_000_000);
  await using server = createServer((request, response) => {
    const share = shares.open(request.url ?? "");
    const failure = share.take(1);
    response.once("close", () => share[Symbol.dispose]());
    assert.equal(failure, null);
    share.readBy(readerOf(response, body.length));
    response.end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const ask = (account: string) =>
    fetch(`http://127.0.0.1:${address.port}/${account}`);
  const unread = [await ask("hog"), await ask("hog")];
  const other = await ask("other");
  assert.equal((await other.bytes()).length, body.length);
  const ends = await Promise.allSettled(unread.map((answer) => answer.bytes()));
  assert.deepEqual(
    ends.map(({ status }) => status),
    ["rejected", "fulfilled"],
  );
});
