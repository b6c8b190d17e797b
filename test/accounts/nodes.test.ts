import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  installOnPostgresql,
  issueKey,
} from "../support/service/accounts-installation.ts";
import { NO_POSTGRESQL } from "../support/servers/postgresql.ts";

const COUNTING_PROCESS = fileURLToPath(
  new URL("../support/program/counting-process.ts", import.meta.url),
);
const QUOTA = 12_000;
/** The longest that a flush may take here: a second, plus another for a busy machine. */
const CARRIED_MS = 2_000;

/** A process's counts over time. */
type Track = readonly { readonly atMs: number; readonly counted: number }[];

/** The most that a process counted within `ms` milliseconds. */
function maxWithin(track: Track, ms: number): number {
  let most = 0;
  let from = 0;
  for (const { atMs, counted } of track) {
    while (track[from] !== undefined && track[from]!.atMs < atMs - ms) from++;
    most = Math.max(most, counted - (track[from - 1]?.counted ?? 0));
  }
  return most;
}

test(
  "three processes share an account's quota, up to what they answer in one second",
  { skip: NO_POSTGRESQL },
  async () => {
    await using installation = await installOnPostgresql();
    const key = await issueKey(
      installation.accounts,
      "ada@clinic.example",
      "paid",
    );
    const children = [1, 2, 3].map(() =>
      spawn(
        process.execPath,
        [
          COUNTING_PROCESS,
          JSON.stringify(installation.place),
          key,
          "0",
          String(QUOTA),
        ],
        { stdio: ["ignore", "pipe", "inherit"] },
      ),
    );
    const tracks = await Promise.all(
      children.map(async (child) => {
        const exited = once(child, "exit");
        const track: { atMs: number; counted: number }[] = [];
        let full = 0;
        for await (const line of createInterface({ input: child.stdout })) {
          const [atMs = NaN, counted = NaN] = line.split(" ").map(Number);
          // The quota is used up when a whole second adds nothing.
          if (counted === 0 || counted !== track.at(-1)?.counted) full = atMs;
          track.push({ atMs, counted });
          if (counted > 0 && atMs - full > 1_500) child.kill("SIGTERM");
        }
        await exited;
        return track;
      }),
    );
    const counted = tracks.map((track) => track.at(-1)?.counted ?? 0);
    const total = counted.reduce((sum, each) => sum + each, 0);
    assert.ok(
      counted.every((each) => each > 0),
      `each had its share of ${counted.join(", ")}`,
    );
    assert.ok(total >= QUOTA, `${total} of ${QUOTA}`);
    const carried = tracks.map((track) => maxWithin(track, CARRIED_MS));
    const bound = QUOTA + carried.reduce((sum, each) => sum + each, 0);
    assert.ok(total <= bound, `${total} of ${QUOTA}, at most ${bound}`);
    assert.ok(
      total < 2 * QUOTA,
      "separate quotas would allow three times as many",
    );
  },
);
