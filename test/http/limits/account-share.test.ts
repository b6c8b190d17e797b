import assert from "node:assert/strict";
import test from "node:test";
import { AccountShares } from "../../../src/http/limits/account-share.ts";

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
