import { readFileSync } from "node:fs";
import { join } from "node:path";

const STATUS_FILE = "update-status.json";

/** What is known of the updates of a data folder. Times are ISO 8601, UTC; null is what did not happen yet. */
export interface UpdateStatus {
  /** The cron expression of the schedule and its time zone; null without a schedule. */
  schedule: string | null;
  zone: string | null;
  nextAt: string | null;
  lastStartedAt: string | null;
  lastFinishedAt: string | null;
  /** One word, and one sentence for the operator. */
  lastOutcome: string | null;
  lastMessage: string | null;
}

/** The status of a data folder's updates; null where there never was one, or its file cannot be read as such. */
export function readUpdateStatus(dataDir: string): UpdateStatus | null {
  let held: unknown;
  try {
    held = JSON.parse(readFileSync(join(dataDir, STATUS_FILE), "utf8"));
  } catch {
    return null;
  }
  if (typeof held !== "object" || held === null) return null;
  const text = (name: keyof UpdateStatus): string | null => {
    const value: unknown = Reflect.get(held, name);
    return typeof value === "string" ? value : null;
  };
  return {
    schedule: text("schedule"),
    zone: text("zone"),
    nextAt: text("nextAt"),
    lastStartedAt: text("lastStartedAt"),
    lastFinishedAt: text("lastFinishedAt"),
    lastOutcome: text("lastOutcome"),
    lastMessage: text("lastMessage"),
  };
}
