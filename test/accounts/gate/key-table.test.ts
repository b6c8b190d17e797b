import assert from "node:assert/strict";
import { randomBytes, randomFillSync } from "node:crypto";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import {
  createKeyTableMemory,
  hashWords,
  KeyTable,
  NO_KEY,
  planIn,
  statusIn,
} from "../../../src/accounts/keys/key-table.ts";
import type { KeyRow } from "../../../src/accounts/keys/keys.ts";
import { fullTest } from "../../support/pure/full-run.ts";

const MODULE = new URL(
  "../../../src/accounts/keys/key-table.ts",
  import.meta.url,
);
const HASH_BYTES = 32;
const MB = 1_000_000;

/** An active key without an end. */
function row(id: number, changed: Partial<KeyRow> = {}): KeyRow {
  return {
    id,
    account_id: id + 1,
    plan: "free",
    suspended_at: null,
    expires_at: null,
    revoked_at: null,
    ...changed,
  };
}

/** Another thread with the same table: it runs the body of a function of `table`, `words` and `post` (a message). */
function thread(
  memory: ReturnType<typeof createKeyTableMemory>,
  words: Int32Array,
  body: string,
) {
  const worker = new Worker(
    `import { KeyTable, statusIn } from ${JSON.stringify(MODULE.href)};
import { parentPort, workerData } from "node:worker_threads";
const table = new KeyTable(workerData.memory);
const words = workerData.words;
const post = (message) => parentPort.postMessage(message);
${body}`,
    { eval: true, workerData: { memory, words } },
  );
  const next = async (): Promise<unknown> => (await once(worker, "message"))[0];
  return {
    next,
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}

test("keys are found with their facts while the table grows, and others aren't", () => {
  const table = new KeyTable(createKeyTableMemory());
  const hashes = Array.from({ length: 5_000 }, () =>
    hashWords(randomBytes(HASH_BYTES)),
  );
  for (const [index, hash] of hashes.entries())
    table.put(hash, row(index + 1), index % 5);
  assert.equal(table.size, hashes.length);
  for (const [index, hash] of hashes.entries()) {
    const place = table.find(hash);
    assert.deepEqual(table.factsOf(place), {
      keyId: index + 1,
      accountId: index + 2,
    });
    const state = table.stateOf(place);
    assert.deepEqual([statusIn(state), planIn(state)], ["active", index % 5]);
    assert.equal(table.find(hashWords(randomBytes(HASH_BYTES))), NO_KEY);
  }
});

test("a key that is put again has its new facts at the same place", () => {
  const table = new KeyTable(createKeyTableMemory());
  const hash = hashWords("ab".repeat(HASH_BYTES));
  const seen = (changed: Partial<KeyRow>) => {
    table.put(hash, row(1, changed), 3);
    return [table.find(hash), statusIn(table.stateOf(0)), table.endOf(0) <= 9];
  };
  assert.deepEqual(seen({}), [0, "active", false]);
  assert.deepEqual(seen({ suspended_at: 1 }), [0, "suspended", false]);
  const revoked = { revoked_at: 1, suspended_at: 1 };
  assert.deepEqual(seen(revoked), [0, "revoked", false]);
  assert.deepEqual(seen({ expires_at: 10 }), [0, "active", false]);
  assert.deepEqual(seen({ expires_at: 9 }), [0, "active", true]);
  table.delete(hash);
  assert.equal(statusIn(table.stateOf(0)), "deleted");
  assert.deepEqual(seen({}), [0, "active", false]);
});

test("keys whose hashes start with the same word are different keys", () => {
  const table = new KeyTable(createKeyTableMemory());
  // The last ones go round the end of the index.
  const hashes = [0, -1].flatMap((first) =>
    Array.from({ length: 200 }, (_, last) =>
      Int32Array.of(first, 1, 2, 3, 4, 5, 6, last),
    ),
  );
  for (const [index, hash] of hashes.entries())
    table.put(hash, row(index + 1), 0);
  table.delete(hashes[7]!);
  for (const [place, hash] of hashes.entries()) {
    assert.equal(table.find(hash), place);
    const status = place === 7 ? "deleted" : "active";
    assert.equal(statusIn(table.stateOf(place)), status);
  }
  const missing = Int32Array.of(0, 1, 2, 3, 4, 5, 6, 200);
  assert.equal(table.find(missing), NO_KEY);
});

test("what a reading of all keys doesn't have is deleted, and comes back with the next", () => {
  const table = new KeyTable(createKeyTableMemory());
  const [kept, gone, added] = ["a", "b", "c"].map((digit) =>
    hashWords(digit.repeat(64)),
  );
  assert.ok(kept && gone && added);
  const states = () =>
    [kept, gone, added].map((hash) => {
      const place = table.find(hash);
      return place === NO_KEY ? null : statusIn(table.stateOf(place));
    });
  for (const hash of [kept, gone]) table.put(hash, row(1), 0, 1);
  table.deleteOthers(1);
  assert.deepEqual(states(), ["active", "active", null]);
  for (const hash of [kept, added]) table.put(hash, row(1), 0, 2);
  table.deleteOthers(2);
  assert.deepEqual(states(), ["active", "deleted", "active"]);
  table.put(gone, row(1), 0, 3);
  table.deleteOthers(3);
  assert.deepEqual(states(), ["deleted", "active", "deleted"]);
});

test("another thread finds every key at once, over several levels of growth, and sees a revocation at once", async () => {
  const memory = createKeyTableMemory();
  const table = new KeyTable(memory);
  const keys = 40_000;
  const words = new Int32Array(
    new SharedArrayBuffer((keys * 8 + 2) * Int32Array.BYTES_PER_ELEMENT),
  );
  words.set(new Int32Array(randomBytes(keys * HASH_BYTES).buffer.slice(0)), 2);
  const hashOf = (key: number) => words.subarray(2 + key * 8, 10 + key * 8);
  // words[0]: keys that are put; words[1]: of these, those that are revoked.
  await using reader = thread(
    memory,
    words,
    `post("ready");
const faults = [];
let readings = 0;
for (let isLast = false; !isLast;) {
  const revoked = Atomics.load(words, 1);
  const put = Atomics.load(words, 0);
  isLast = revoked === ${keys};
  const step = isLast ? 1 : 97;
  for (let key = readings % step; key < put; key += step) {
    const place = table.find(words.subarray(2 + key * 8, 10 + key * 8));
    if (place !== key) faults.push(["place", key, place]);
    else if (key < revoked && statusIn(table.stateOf(place)) !== "revoked") faults.push(["state", key]);
    else if (table.factsOf(place).keyId !== key + 1) faults.push(["facts", key]);
  }
  readings++;
}
post({ faults: faults.slice(0, 5), readings });`,
  );
  assert.equal(await reader.next(), "ready");
  const told = reader.next();
  for (let key = 0; key < keys; key++) {
    table.put(hashOf(key), row(key + 1), 0);
    Atomics.store(words, 0, key + 1);
  }
  for (let key = 0; key < keys; key++) {
    table.put(hashOf(key), row(key + 1, { revoked_at: 1 }), 0);
    Atomics.store(words, 1, key + 1);
  }
  const { faults, readings } = Object(await told);
  assert.deepEqual(faults, []);
  assert.ok(readings > 1);
});

fullTest(
  "1,000,000 keys take at most 80 MB of memory, and 1,000 almost nothing",
  () => {
    const memory = createKeyTableMemory();
    const table = new KeyTable(memory);
    const hash = new Int32Array(8);
    const add = (keys: number) => {
      for (let id = table.size + 1; id <= keys; id++)
        table.put(randomFillSync(hash), row(id), 0);
      return memory.entries.byteLength + memory.index.byteLength;
    };
    const few = add(1_000);
    assert.ok(few <= 0.1 * MB, `${few} bytes`);
    const many = add(1_000_000);
    assert.ok(many <= 80 * MB, `${many} bytes`);
  },
);
