import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const STATUS_FILE = "update-status.json";

/** What is known of the updates that a service makes by schedule. Times are ISO 8601, UTC. */
export interface UpdateStatus {
  /** A cron expression, and the time zone in which it is meant. */
  schedule: string;
  zone: string;
  /** Null when no service waits for it any more. */
  nextAt: string | null;
  /** Null before the first update. */
  lastStartedAt: string | null;
  /** Null before the first update, and while one runs that was the first. */
  lastFinishedAt: string | null;
  /** Stopped with the service, or by hand; null while there is none to speak of. */
  lastOutcome: "done" | "failed" | "stopped" | null;
  /** A sentence of the update: what the data are now, or why it failed. */
  lastMessage: string | null;
}

/** What a service wrote down in the data folder; null when none ever did, or when it cannot be read. */
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

/** Replaces the file by one rename: whoever reads it meanwhile gets the old one or the new one, whole. */
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
