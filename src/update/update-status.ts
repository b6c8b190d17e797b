import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const STATUS_FILE = "update-status.json";

/** The status of a service's scheduled updates. Times are ISO 8601, UTC. */
export interface UpdateStatus {
  /** A cron expression, and the time zone in which it is meant. */
  schedule: string;
  zone: string;
  /** Null if no service is waiting for it. */
  nextAt: string | null;
  /** Null before the first update. */
  lastStartedAt: string | null;
  /** Null until the first update finishes. */
  lastFinishedAt: string | null;
  /** `stopped` with the service or by hand; null before the first. */
  lastOutcome: "done" | "failed" | "stopped" | null;
  /** The update's last message: the current data, or why it failed. */
  lastMessage: string | null;
}

/** Reads the status stored in the data folder; null if there is none or it is unreadable. */
export function readUpdateStatus(dataDir: string): UpdateStatus | null {
  let status: unknown;
  try {
    status = JSON.parse(readFileSync(join(dataDir, STATUS_FILE), "utf8"));
  } catch {
    return null;
  }
  if (typeof status !== "object" || status === null) return null;
  const found = new Map<string, unknown>(Object.entries(status));
  const schedule = textOf(found.get("schedule"));
  if (schedule === null) return null;
  return {
    schedule,
    zone: textOf(found.get("zone")) ?? "UTC",
    nextAt: textOf(found.get("nextAt")),
    lastStartedAt: textOf(found.get("lastStartedAt")),
    lastFinishedAt: textOf(found.get("lastFinishedAt")),
    lastOutcome: outcomeOf(found.get("lastOutcome")),
    lastMessage: textOf(found.get("lastMessage")),
  };
}

/** Replaces the file atomically: readers get the old or the new one, complete. */
export function writeUpdateStatus(dataDir: string, status: UpdateStatus): void {
  const path = join(dataDir, STATUS_FILE);
  writeFileSync(`${path}.new`, `${JSON.stringify(status, null, 2)}\n`);
  renameSync(`${path}.new`, path);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function outcomeOf(value: unknown): UpdateStatus["lastOutcome"] {
  return value === "done" || value === "failed" || value === "stopped"
    ? value
    : null;
}
