/** Tests whether response times reveal known addresses while the thread pool, which hashes passwords, is busy. */

import assert from "node:assert/strict";
import { scrypt } from "node:crypto";
import { test } from "node:test";
import { PASSWORD, startAuthService } from "../support/app/auth-service.ts";

const ADA = "ada@clinic.example";
const NEW = "new@clinic.example";

/** Hashes queued in the pool at any time: one more waits longer than a padded answer. */
const IN_FLIGHT = 36;

test("while many passwords are hashed, times still don't reveal known addresses", async () => {
  await using service = await startAuthService({ realTimes: true });
  await service.signedIn(ADA);
  using busy = keepPoolBusy();
  assert.ok(busy.isBusy);
  const browser = () => service.browser();
  // In each pair one address is unknown, and one needs a signed link.
  for (const [status, known, unknown] of [
    [200, () => browser().signUp(ADA), () => browser().signUp(NEW)],
    [401, () => browser().signIn(ADA, "wrong"), () => browser().signIn(NEW)],
  ] as const) {
    const pair = await Promise.all([timed(known()), timed(unknown())]);
    assert.deepEqual(
      pair.map(({ statusCode }) => statusCode),
      [status, status],
    );
    const [one, other] = pair.map(({ ms }) => ms).toSorted((a, b) => a - b);
    assert.ok((one ?? 0) > 0.75 * (other ?? 0), `${status}: ${one} ${other}`);
  }
});

async function timed(
  work: Promise<{ statusCode: number }>,
): Promise<{ statusCode: number; ms: number }> {
  const began = performance.now();
  const { statusCode } = await work;
  return { statusCode, ms: performance.now() - began };
}

function keepPoolBusy(): { isBusy: boolean } & Disposable {
  const state = {
    isBusy: true,
    [Symbol.dispose]: () => void (state.isBusy = false),
  };
  const hash = () =>
    scrypt(PASSWORD, "salt", 64, { N: 8_192 }, () => {
      if (state.isBusy) hash();
    });
  for (let count = 0; count < IN_FLIGHT; count++) hash();
  return state;
}
