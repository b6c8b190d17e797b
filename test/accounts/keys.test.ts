import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { hashKey, isWellFormedKey } from "../../src/accounts/keys/api-key.ts";
import { shownKey } from "../../src/accounts/keys/keys.ts";
import type { DatabasePlace } from "../../src/accounts/database/database.ts";
import { isOverlap, OVERLAPS } from "../../src/contract/credentials.ts";
import { openDatabase } from "../../src/accounts/database/open-database.ts";
import {
  START_MS,
  accountOf,
  takeOne,
  issueKey,
  verdictOf,
} from "../support/app/accounts-installation.ts";
import { suiteOnBoth } from "../support/postgresql/on-both.ts";

const ADA = "ada@clinic.example";

/** The bytes of a database file and its companions; none for a server's. */
async function bytesOf(place: DatabasePlace): Promise<Buffer> {
  if (place.kind === "postgresql") return Buffer.alloc(0);
  const folder = dirname(place.file);
  const files = await readdir(folder);
  assert.ok(files.some((file) => file.endsWith("-wal")));
  return Buffer.concat(
    await Promise.all(files.map((file) => readFile(join(folder, file)))),
  );
}

/** Keys with the same prefix, `pd_live_0000`. */
function alike(): (bytes: number) => Uint8Array {
  let drawn = 0;
  return (bytes) => {
    drawn++;
    return Uint8Array.from({ length: bytes }, (_, index) =>
      index < 4 ? 0 : (drawn * 7 + index) % 248,
    );
  };
}

test("overlaps are only 0, 1h, 24h and 7d", () => {
  assert.deepEqual(Object.keys(OVERLAPS), ["0", "1h", "24h", "7d"]);
  for (const text of ["0", "1h", "24h", "7d"]) assert.ok(isOverlap(text));
  for (const text of ["", "2h", "1H", "toString"]) assert.ok(!isOverlap(text));
});

suiteOnBoth("API keys", (install) => {
  test("a key is shown when it is created; later only its first and last characters are", async () => {
    await using installation = await install();
    const { accounts } = installation;
    await accounts.users.create(ADA, "paid");
    const made = await accounts.keys.create(ADA, " laptop ");
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
      name: "laptop",
      state: "active",
      createdAt: START_MS,
      expiresAt: null,
      lifetimeMs: null,
      replacedBy: null,
      revokedAt: null,
      lastUsedAt: null,
      usedThisMonth: 0,
    });
    assert.deepEqual(await accounts.keys.list({ email: ADA }), {
      outcome: "listed",
      keys: [made.record],
    });
  });

  test("no column and no file contains more of a key than its hash, prefix and last four", async () => {
    await using installation = await install();
    const { accounts, clock } = installation;
    const service = await installation.startProcess();
    const first = await issueKey(accounts, ADA);
    const second = await issueKey(accounts, "eve@clinic.example");
    const rotated = await accounts.keys.rotate(first.slice(0, 12), "1h");
    assert.ok(rotated.outcome === "rotated");
    const keys = [first, second, rotated.key];
    for (const key of keys) {
      const account = await accountOf(service.gate, key, clock.nowMs);
      await takeOne(service.gate, account, clock.nowMs);
    }
    await service.write();
    await accounts.keys.revoke(second);

    await using db = await openDatabase(installation.place);
    const cells: string[] = [];
    for (const { name } of await db.introspection.getTables()) {
      const { rows } = await sql`SELECT * FROM ${sql.table(name)}`.execute(db);
      cells.push(
        ...rows.flatMap((row) => Object.values(row ?? {}).map(String)),
      );
    }
    const bytes = await bytesOf(installation.place);
    for (const key of keys) {
      assert.ok(cells.includes(hashKey(key)), "the hash is there");
      if (bytes.length > 0)
        assert.notEqual(bytes.indexOf(hashKey(key)), -1, "also in the files");
      const middle = key.slice(12, 40);
      for (const piece of [key, middle, key.slice(0, 13), key.slice(-5)]) {
        assert.ok(!cells.some((cell) => cell.includes(piece)));
      }
      // Columns are adjacent in the files, so a piece must be longer to not appear by chance.
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
    const all = await accounts.keys.list();
    assert.ok(all.outcome === "listed");
    assert.deepEqual(
      all.keys.map((key) => [key.id, key.email]),
      [
        [1, ADA],
        [2, "eve@clinic.example"],
        [3, ADA],
      ],
    );
    const hers = await accounts.keys.list({ email: " ADA@clinic.example" });
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
      const revoked = await accounts.keys.revoke(selectorOf(key));
      assert.ok(revoked.outcome === "revoked");
      assert.equal(revoked.record.id, 1);
      assert.equal(revoked.record.state, "revoked");
      assert.equal(revoked.record.revokedAt, START_MS + 1_000);
      const again = await accounts.keys.revoke(selectorOf(key));
      assert.equal(again.outcome, "already_ended");
    });
  }

  test("a selector without a match and an invalid selector are reported differently", async () => {
    await using installation = await install();
    const { accounts } = installation;
    const key = await issueKey(accounts);
    const outcome = async (selector: string) =>
      (await accounts.keys.revoke(selector)).outcome;
    assert.equal(await outcome("pd_live_????"), "invalid_selector");
    assert.equal(await outcome(""), "invalid_selector");
    assert.equal(await outcome("%"), "invalid_selector");
    assert.equal(await outcome("pd_live_"), "invalid_selector");
    assert.equal(await outcome(key.slice(0, 11)), "invalid_selector");
    assert.equal(await outcome(`${key.slice(0, 12)}…`), "invalid_selector");
    assert.equal(await outcome(`${key}x`), "invalid_selector");
    const mistyped =
      key.slice(0, 20) + (key[20] === "a" ? "b" : "a") + key.slice(21);
    assert.deepEqual(await accounts.keys.revoke(mistyped), {
      outcome: "invalid_selector",
      problem: "The key is mistyped: its checksum does not match.",
    });
    const lastFour = key.endsWith("0") ? "zzzz" : "0000";
    assert.equal(await outcome(`${key.slice(0, 12)}…${lastFour}`), "not_found");
    const other =
      key.slice(0, 8) + (key.startsWith("pd_live_0000") ? "1111" : "0000");
    assert.equal(await outcome(other), "not_found");
  });

  test("a prefix of several keys changes none and lists them", async () => {
    await using installation = await install({ random: alike() });
    const { accounts } = installation;
    const first = await issueKey(accounts, ADA);
    const second = await issueKey(accounts, "eve@clinic.example");
    assert.equal(first.slice(0, 12), second.slice(0, 12));
    const result = await accounts.keys.revoke("pd_live_0000");
    assert.ok(result.outcome === "ambiguous");
    assert.deepEqual(
      result.matches.map((match) => [match.id, match.lastFour]),
      [
        [1, first.slice(-4)],
        [2, second.slice(-4)],
      ],
    );
    assert.equal(
      (await accounts.keys.rotate("pd_live_0000", "0")).outcome,
      "ambiguous",
    );

    const narrowed = await accounts.keys.revoke("pd_live_0000", { email: ADA });
    assert.ok(narrowed.outcome === "revoked");
    assert.equal(narrowed.record.id, 1);
    const rest = await accounts.keys.revoke("pd_live_0000");
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
    await accounts.users.create("eve@clinic.example");
    const scope = { email: "eve@clinic.example" };
    assert.equal((await accounts.keys.revoke(key, scope)).outcome, "not_found");
    assert.equal(
      (await accounts.keys.rotate(key, "0", scope)).outcome,
      "not_found",
    );
    const unknown = { email: "unknown@clinic.example" };
    assert.equal(
      (await accounts.keys.revoke(key, unknown)).outcome,
      "no_account",
    );
  });

  for (const [overlap, overlapMs] of [
    ["1h", 3_600_000],
    ["24h", 24 * 3_600_000],
    ["7d", 7 * 24 * 3_600_000],
  ] as const) {
    test(`a rotated key works alongside its replacement for ${overlap}`, async () => {
      await using installation = await install();
      const { accounts, clock } = installation;
      const old = await issueKey(accounts, ADA, "paid");
      const rotated = await accounts.keys.rotate(old.slice(0, 12), overlap);
      assert.ok(rotated.outcome === "rotated");
      assert.ok(isWellFormedKey(rotated.key));
      assert.notEqual(rotated.key, old);
      assert.equal(rotated.record.accountId, rotated.old.accountId);
      assert.equal(rotated.record.expiresAt, null);
      assert.equal(rotated.old.expiresAt, START_MS + overlapMs);
      assert.equal(rotated.old.state, "active");

      const { gate } = await installation.startProcess();
      clock.nowMs = START_MS + overlapMs - 1;
      assert.equal((await verdictOf(gate, old, clock.nowMs)).status, "valid");
      clock.nowMs += 1;
      assert.deepEqual(await verdictOf(gate, old, clock.nowMs), {
        status: "unknown",
        reason: "expired",
      });
      assert.equal(
        (await verdictOf(gate, rotated.key, clock.nowMs)).status,
        "valid",
      );
      const listed = await accounts.keys.list();
      assert.ok(listed.outcome === "listed");
      assert.deepEqual(
        listed.keys.map((key) => key.state),
        ["expired", "active"],
      );
      assert.equal(
        (await accounts.keys.rotate(old, "0")).outcome,
        "already_ended",
      );
    });
  }

  test("a rotated key knows its successor, and the log says in words how long it works", async () => {
    await using installation = await install();
    const { accounts } = installation;
    const old = await issueKey(accounts);
    const first = await accounts.keys.rotate(old, "24h");
    assert.ok(first.outcome === "rotated");
    assert.equal(first.old.replacedBy, first.record.id);
    assert.equal(first.record.replacedBy, null);
    const second = await accounts.keys.rotate(first.key, "0");
    assert.ok(second.outcome === "rotated");
    const log = await accounts.auditLog.list();
    const [a, b, c] = [first.old, first.record, second.record].map(shownKey);
    assert.deepEqual(
      log
        .filter(({ action }) => action === "key_rotated")
        .map(({ detail }) => detail),
      [
        `${a}, replaced by ${b}; the old one works until 2026-11-21 12:00 UTC`,
        `${b}, replaced by ${c}; the old one no longer works`,
      ],
    );
    await accounts.keys.takeBack(second.record.id, second.before);
    const listed = await accounts.keys.list();
    assert.ok(listed.outcome === "listed");
    assert.deepEqual(
      listed.keys.map(({ replacedBy }) => replacedBy),
      [first.record.id, null],
    );
  });

  test("a key gets another name, which the log has, and an ended one doesn't", async () => {
    await using installation = await install();
    const { accounts } = installation;
    const key = await issueKey(accounts);
    for (const name of [" intake ", "intake", ""])
      assert.equal((await accounts.keys.rename(key, name)).outcome, "renamed");
    for (const name of ["two\nlines", "x".repeat(61)])
      assert.equal(
        (await accounts.keys.rename(key, name)).outcome,
        "invalid_name",
      );
    const log = await accounts.auditLog.list();
    const shown = `${key.slice(0, 12)}...${key.slice(-4)}`;
    assert.deepEqual(
      log
        .filter(({ action }) => action === "key_renamed")
        .map(({ detail }) => detail),
      [
        `${shown} from no name to “intake”`,
        `${shown} from “intake” to no name`,
      ],
    );
    await accounts.keys.revoke(key);
    const late = await accounts.keys.rename(key, "late");
    assert.equal(late.outcome, "already_ended");
  });

  test("rotation without overlap ends the old key at once", async () => {
    await using installation = await install();
    const { accounts } = installation;
    const old = await issueKey(accounts);
    const rotated = await accounts.keys.rotate(old, "0");
    assert.ok(rotated.outcome === "rotated");
    assert.equal(rotated.old.state, "revoked");
    assert.equal(rotated.old.revokedAt, START_MS);
  });

  test("rotating a key that is about to end does not extend it", async () => {
    await using installation = await install();
    const { accounts } = installation;
    const old = await issueKey(accounts);
    await accounts.keys.rotate(old, "1h");
    const again = await accounts.keys.rotate(old, "7d");
    assert.ok(again.outcome === "rotated");
    assert.equal(again.old.expiresAt, START_MS + 3_600_000);
  });

  test("a key in its overlap can be revoked before the end", async () => {
    await using installation = await install();
    const { accounts } = installation;
    const old = await issueKey(accounts);
    await accounts.keys.rotate(old, "7d");
    const revoked = await accounts.keys.revoke(old);
    assert.ok(revoked.outcome === "revoked");
    assert.equal(revoked.record.state, "revoked");
  });

  test("an account has at most ten active keys, even if many are requested at once", async () => {
    await using installation = await install();
    const { accounts, clock } = installation;
    await accounts.users.create(ADA);
    const asked = await Promise.all(
      Array.from({ length: 13 }, () => accounts.keys.create(ADA)),
    );
    const made = asked.filter(({ outcome }) => outcome === "created");
    assert.equal(made.length, 10);
    const refused = { outcome: "too_many_keys", most: 10 };
    assert.deepEqual(await accounts.keys.create(ADA), refused);
    const first = made[0];
    assert.ok(first?.outcome === "created");
    assert.deepEqual(await accounts.keys.rotate(first.key, "1h"), refused);
    assert.equal(
      (await accounts.keys.rotate(first.key, "0")).outcome,
      "rotated",
    );
    const second = made[1];
    assert.ok(second?.outcome === "created");
    await accounts.keys.revoke(second.key);
    const last = await accounts.keys.create(ADA);
    assert.ok(last.outcome === "created");
    await accounts.keys.revoke(last.key);
    const third = made[2];
    assert.ok(third?.outcome === "created");
    assert.equal(
      (await accounts.keys.rotate(third.key, "1h")).outcome,
      "rotated",
    );
    assert.deepEqual(await accounts.keys.create(ADA), refused);
    clock.nowMs += 3_600_000;
    assert.equal((await accounts.keys.create(ADA)).outcome, "created");
  });

  test("a rotated key keeps its name", async () => {
    await using installation = await install();
    const { accounts } = installation;
    await accounts.users.create(ADA);
    const made = await accounts.keys.create(ADA, "intake forms");
    assert.ok(made.outcome === "created");
    const rotated = await accounts.keys.rotate(made.key, "24h");
    assert.ok(rotated.outcome === "rotated");
    assert.equal(rotated.record.name, "intake forms");
  });

  test("a name is one line of up to 60 characters", async () => {
    await using installation = await install();
    const { accounts } = installation;
    await accounts.users.create(ADA);
    for (const name of ["", "x".repeat(60), "Zoë's laptop 💻"])
      assert.equal(
        (await accounts.keys.create(ADA, name)).outcome,
        "created",
        name,
      );
    for (const name of ["x".repeat(61), "two\nlines", "a\u0000b", "a\u2028b"])
      assert.deepEqual(await accounts.keys.create(ADA, name), {
        outcome: "invalid_name",
      });
  });
});
