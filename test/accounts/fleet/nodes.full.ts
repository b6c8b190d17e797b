import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { DatabasePlace } from "../../../src/accounts/database/database.ts";
import { installOnPostgresql } from "../../support/postgresql/on-both.ts";
import { issueKey } from "../../support/app/accounts-installation.ts";
import { NO_POSTGRESQL } from "../../support/postgresql/postgresql.ts";

const COUNTING_PROCESS = fileURLToPath(
  new URL("../../support/program/counting-process.ts", import.meta.url),
);
const QUOTA = 3_000;
/** How long a process goes on after its last answer: longer than "nothing is left" is believed. */
const QUIET_MS = 2_500;

/** Starts processes that count answers to a key, and returns how many each gave once none gives more. */
async function countOn(
  place: DatabasePlace,
  key: string,
  processes: number,
  kill: (child: ChildProcess, index: number, counted: number) => void,
): Promise<number[]> {
  const children = Array.from({ length: processes }, () =>
    spawn(
      process.execPath,
      [COUNTING_PROCESS, JSON.stringify(place), key, "0", String(QUOTA)],
      { stdio: ["ignore", "pipe", "inherit"] },
    ),
  );
  return Promise.all(
    children.map(async (child, index) => {
      const exited = once(child, "exit");
      let counted = 0;
      let sinceMs = Infinity;
      for await (const line of createInterface({ input: child.stdout })) {
        const [atMs = NaN, count = NaN] = line.split(" ").map(Number);
        if (count !== counted) sinceMs = atMs;
        counted = count;
        kill(child, index, counted);
        if (atMs - sinceMs > QUIET_MS) child.kill("SIGTERM");
      }
      await exited;
      return counted;
    }),
  );
}

function total(counted: readonly number[]): number {
  return counted.reduce((sum, each) => sum + each, 0);
}

test(
  "three processes share an account's quota, to the last answer",
  { skip: NO_POSTGRESQL },
  async () => {
    await using installation = await installOnPostgresql();
    const { accounts, place } = installation;
    const key = await issueKey(accounts, "ada@clinic.example", "paid");
    const counted = await countOn(place, key, 3, () => undefined);
    assert.equal(total(counted), QUOTA);
    assert.ok(
      counted.every((each) => each > 0),
      `each had its share of ${counted.join(", ")}`,
    );
  },
);

test(
  "a process that is killed loses at most one chunk, and nothing is given twice",
  { skip: NO_POSTGRESQL },
  async () => {
    await using installation = await installOnPostgresql();
    const { accounts, place } = installation;
    const key = await issueKey(accounts, "ada@clinic.example", "paid");
    const counted = await countOn(place, key, 3, (child, index, count) => {
      if (index === 0 && count > QUOTA / 10) child.kill("SIGKILL");
    });
    assert.ok(total(counted) <= QUOTA, `${total(counted)} of ${QUOTA}`);
    // A chunk is at most a quarter of one node's third of what is left, and a quarter more when it is renewed.
    assert.ok(total(counted) >= QUOTA - 313, `${total(counted)} of ${QUOTA}`);
  },
);
