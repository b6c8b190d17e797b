import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { isOverlap, OVERLAPS } from "../../src/accounts/accounts.ts";
import { hashKey, isWellFormedKey } from "../../src/accounts/api-key.ts";
import {
  accountOf,
  install,
  issueKey,
  START_MS,
} from "../support/accounts-installation.ts";

const ADA = "ada@clinic.example";

/** Keys that all begin alike: `pd_live_0000`, and then differ. */
function alike(): (bytes: number) => Uint8Array {
  let drawn = 0;
  return (bytes) => {
    drawn++;
    return Uint8Array.from({ length: bytes }, (_, index) =>
      index < 4 ? 0 : (drawn * 7 + index) % 248,
    );
  };
}

test("a key is shown when it is made, and only its beginning and end later", async () => {
  await using installation = await install();
  const { accounts } = installation;
  await accounts.createAccount(ADA, "paid");
  const made = await accounts.createKey(ADA);
  assert.ok(made.outcome === "created");
  assert.ok(isWellFormedKey(made.key));
  assert.deepEqual(made.record, {
    id: 1,
    accountId: 1,
    email: ADA,
    plan: "paid",
    accountSuspended: false,
    prefix: made.key.slice(0, 12),
    lastFour: made.key.slice(-4),
    state: "active",
    createdAt: START_MS,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  });
  assert.deepEqual(await accounts.listKeys({ email: ADA }), {
    outcome: "listed",
    keys: [made.record],
  });
});

test("no column and no file holds more of a key than its hash, its beginning and its end", async () => {
  await using installation = await install();
  const { accounts, clock } = installation;
  const service = await installation.startProcess();
  const first = await issueKey(accounts, ADA);
  const second = await issueKey(accounts, "eve@clinic.example");
  const rotated = await accounts.rotateKey(first.slice(0, 12), "1h");
  assert.ok(rotated.outcome === "rotated");
  const keys = [first, second, rotated.key];
  for (const key of keys) {
    service.gate.takeQuota(
      accountOf(service.gate, key, clock.nowMs),
      clock.nowMs,
    );
  }
  await service.flusher.flush();
  await accounts.revokeKey(second);

  using connection = new DatabaseSync(installation.file);
  const tables = connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map((row) => String(row["name"]));
  const cells = tables.flatMap((table) =>
    connection
      .prepare(`SELECT * FROM "${table}"`)
      .all()
      .flatMap((row) => Object.values(row).map(String)),
  );
  const files = await readdir(installation.folder);
  assert.ok(files.some((file) => file.endsWith("-wal")));
  const bytes = Buffer.concat(
    await Promise.all(
      files.map((file) => readFile(join(installation.folder, file))),
    ),
  );
  for (const key of keys) {
    assert.ok(cells.includes(hashKey(key)), "the hash is there");
    assert.notEqual(bytes.indexOf(hashKey(key)), -1, "also in the files");
    const middle = key.slice(12, 40);
    for (const piece of [key, middle, key.slice(0, 13), key.slice(-5)]) {
      assert.ok(!cells.some((cell) => cell.includes(piece)));
    }
    // In the files one column follows the other, so that a piece has to be longer not to appear by chance.
    for (const piece of [key, middle, key.slice(0, 17), key.slice(-9)]) {
      assert.equal(bytes.indexOf(piece), -1);
    }
  }
});

test("an account can have several keys; all keys are listed, of one account or of all", async () => {
  await using installation = await install();
  const { accounts } = installation;
  await issueKey(accounts, ADA);
  await issueKey(accounts, "eve@clinic.example");
  await issueKey(accounts, ADA);
  const all = await accounts.listKeys();
  assert.ok(all.outcome === "listed");
  assert.deepEqual(
    all.keys.map((key) => [key.id, key.email]),
    [
      [1, ADA],
      [2, "eve@clinic.example"],
      [3, ADA],
    ],
  );
  const hers = await accounts.listKeys({ email: " ADA@clinic.example" });
  assert.ok(hers.outcome === "listed");
  assert.deepEqual(
    hers.keys.map((key) => key.id),
    [1, 3],
  );
});

for (const [how, selectorOf] of [
  ["its display prefix", (key: string) => key.slice(0, 12)],
  ["a longer prefix", (key: string) => key.slice(0, 30)],
  ["the whole key", (key: string) => key],
  [
    "its prefix and last four",
    (key: string) => `${key.slice(0, 12)}…${key.slice(-4)}`,
  ],
  [
    "the same with three dots",
    (key: string) => ` ${key.slice(0, 12)}...${key.slice(-4)}\n`,
  ],
] as const) {
  test(`a key is revoked by ${how}`, async () => {
    await using installation = await install();
    const { accounts, clock } = installation;
    const key = await issueKey(accounts);
    await issueKey(accounts);
    clock.nowMs += 1_000;
    const revoked = await accounts.revokeKey(selectorOf(key));
    assert.ok(revoked.outcome === "revoked");
    assert.equal(revoked.record.id, 1);
    assert.equal(revoked.record.state, "revoked");
    assert.equal(revoked.record.revokedAt, START_MS + 1_000);
    const again = await accounts.revokeKey(selectorOf(key));
    assert.equal(again.outcome, "already_ended");
  });
}

test("a selector that fits no key, or cannot, is told apart", async () => {
  await using installation = await install();
  const { accounts } = installation;
  const key = await issueKey(accounts);
  const outcome = async (selector: string) =>
    (await accounts.revokeKey(selector)).outcome;
  assert.equal(await outcome("pd_live_????"), "invalid_selector");
  assert.equal(await outcome(""), "invalid_selector");
  assert.equal(await outcome("%"), "invalid_selector");
  assert.equal(await outcome("pd_live_"), "invalid_selector");
  assert.equal(await outcome(key.slice(0, 11)), "invalid_selector");
  assert.equal(await outcome(`${key.slice(0, 12)}…`), "invalid_selector");
  assert.equal(await outcome(`${key}x`), "invalid_selector");
  const mistyped =
    key.slice(0, 20) + (key[20] === "a" ? "b" : "a") + key.slice(21);
  assert.deepEqual(await accounts.revokeKey(mistyped), {
    outcome: "invalid_selector",
    problem: "This key is mistyped: its checksum is wrong.",
  });
  const lastFour = key.endsWith("0") ? "zzzz" : "0000";
  assert.equal(await outcome(`${key.slice(0, 12)}…${lastFour}`), "not_found");
  const other =
    key.slice(0, 8) + (key.startsWith("pd_live_0000") ? "1111" : "0000");
  assert.equal(await outcome(other), "not_found");
});

test("a prefix that fits several keys changes none and lists them", async () => {
  await using installation = await install({ random: alike() });
  const { accounts } = installation;
  const first = await issueKey(accounts, ADA);
  const second = await issueKey(accounts, "eve@clinic.example");
  assert.equal(first.slice(0, 12), second.slice(0, 12));
  const result = await accounts.revokeKey("pd_live_0000");
  assert.ok(result.outcome === "ambiguous");
  assert.deepEqual(
    result.matches.map((match) => [match.id, match.lastFour]),
    [
      [1, first.slice(-4)],
      [2, second.slice(-4)],
    ],
  );
  assert.equal(
    (await accounts.rotateKey("pd_live_0000", "0")).outcome,
    "ambiguous",
  );

  const narrowed = await accounts.revokeKey("pd_live_0000", { email: ADA });
  assert.ok(narrowed.outcome === "revoked");
  assert.equal(narrowed.record.id, 1);
  const rest = await accounts.revokeKey("pd_live_0000");
  assert.ok(rest.outcome === "revoked", "only one key that works is left");
  assert.equal(rest.record.id, 2);
});

test("a new key avoids a display prefix that is taken", async () => {
  let drawn = 0;
  await using installation = await install({
    random: (bytes) => new Uint8Array(bytes).fill(Math.floor(drawn++ / 2)),
  });
  const first = await issueKey(installation.accounts);
  const second = await issueKey(installation.accounts);
  assert.notEqual(first.slice(0, 12), second.slice(0, 12));
});

test("another account's key is not found in an account", async () => {
  await using installation = await install();
  const { accounts } = installation;
  const key = await issueKey(accounts, ADA);
  await accounts.createAccount("eve@clinic.example");
  const scope = { email: "eve@clinic.example" };
  assert.equal((await accounts.revokeKey(key, scope)).outcome, "not_found");
  assert.equal(
    (await accounts.rotateKey(key, "0", scope)).outcome,
    "not_found",
  );
  const nobody = { email: "nobody@clinic.example" };
  assert.equal((await accounts.revokeKey(key, nobody)).outcome, "no_account");
});

for (const [overlap, overlapMs] of [
  ["1h", 3_600_000],
  ["24h", 24 * 3_600_000],
  ["7d", 7 * 24 * 3_600_000],
] as const) {
  test(`a rotated key works beside its successor for ${overlap}`, async () => {
    await using installation = await install();
    const { accounts, clock } = installation;
    const old = await issueKey(accounts, ADA, "paid");
    const rotated = await accounts.rotateKey(old.slice(0, 12), overlap);
    assert.ok(rotated.outcome === "rotated");
    assert.ok(isWellFormedKey(rotated.key));
    assert.notEqual(rotated.key, old);
    assert.equal(rotated.record.accountId, rotated.old.accountId);
    assert.equal(rotated.record.expiresAt, null);
    assert.equal(rotated.old.expiresAt, START_MS + overlapMs);
    assert.equal(rotated.old.state, "active");

    const { gate } = await installation.startProcess();
    clock.nowMs = START_MS + overlapMs - 1;
    assert.equal(gate.verify(old, clock.nowMs).status, "valid");
    clock.nowMs += 1;
    assert.deepEqual(gate.verify(old, clock.nowMs), {
      status: "unknown",
      reason: "expired",
    });
    assert.equal(gate.verify(rotated.key, clock.nowMs).status, "valid");
    const listed = await accounts.listKeys();
    assert.ok(listed.outcome === "listed");
    assert.deepEqual(
      listed.keys.map((key) => key.state),
      ["expired", "active"],
    );
    assert.equal((await accounts.rotateKey(old, "0")).outcome, "already_ended");
  });
}

test("rotation without overlap ends the old key at once", async () => {
  await using installation = await install();
  const { accounts } = installation;
  const old = await issueKey(accounts);
  const rotated = await accounts.rotateKey(old, "0");
  assert.ok(rotated.outcome === "rotated");
  assert.equal(rotated.old.state, "revoked");
  assert.equal(rotated.old.revokedAt, START_MS);
});

test("rotating a key that is on its way out does not make it live longer", async () => {
  await using installation = await install();
  const { accounts } = installation;
  const old = await issueKey(accounts);
  await accounts.rotateKey(old, "1h");
  const again = await accounts.rotateKey(old, "7d");
  assert.ok(again.outcome === "rotated");
  assert.equal(again.old.expiresAt, START_MS + 3_600_000);
});

test("a key in its overlap can be revoked before the end", async () => {
  await using installation = await install();
  const { accounts } = installation;
  const old = await issueKey(accounts);
  await accounts.rotateKey(old, "7d");
  const revoked = await accounts.revokeKey(old);
  assert.ok(revoked.outcome === "revoked");
  assert.equal(revoked.record.state, "revoked");
});

test("overlaps are 0, 1h, 24h and 7d and nothing else", () => {
  assert.deepEqual(Object.keys(OVERLAPS), ["0", "1h", "24h", "7d"]);
  for (const text of ["0", "1h", "24h", "7d"]) assert.ok(isOverlap(text));
  for (const text of ["", "2h", "1H", "toString"]) assert.ok(!isOverlap(text));
});
