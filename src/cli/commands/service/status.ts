import { existsSync, readdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { countAll } from "../../../changes/change.ts";
import { ChangeReader } from "../../../changes/change-reader.ts";
import { timeOfSnapshot } from "../../../changes/change-sets.ts";
import { ChangesDatabaseError } from "../../../changes/database.ts";
import { dataAge } from "../../../contract/data-age.ts";
import { dataDateOf, describeSource } from "../../../snapshot/metadata.ts";
import { describeDays, missingDays } from "../../../store/missing-days.ts";
import type { SnapshotStore } from "../../../store/store.ts";
import {
  readUpdateStatus,
  type UpdateStatus,
} from "../../../update/update-status.ts";
import { command, PROGRAM } from "../../command.ts";
import { storeIn } from "../../data-folder.ts";
import { describeChangesFault } from "../../fault.ts";
import {
  counted,
  describeProviders,
  formatBytes,
  formatCount,
} from "../../output/format.ts";
import { linesOf, show } from "../../output/show.ts";
import { DATA_DIR, JSON_OUTPUT } from "../../settings/settings.ts";
import { describeCounts } from "../registry/changes.ts";

/** An update this overdue is not about to start. */
const LATE_MS = 60_000;

export const statusCommand = command({
  summary:
    "Show the served data and its age, the next update, the last changes, and disk use.",
  details: [
    "Data older than ten days causes a warning on standard error; the exit code is still 0.",
  ],
  options: { json: JSON_OUTPUT, dataDir: DATA_DIR },
  run({ dataDir, json }, context) {
    const nowMs = context.now();
    const status = statusOf(storeIn(dataDir), nowMs);
    show(context, json, status, () => statusLines(status, nowMs));
    if (status.warning !== null)
      context.err(`${PROGRAM}: warning: ${status.warning}`);
  },
});

/** The installation's status, as JSON shows it. Times are ISO 8601, sizes bytes. */
type Status = ReturnType<typeof statusOf>;
type SnapshotStatus = NonNullable<Status["snapshot"]>;

function statusOf(store: SnapshotStore, nowMs: number) {
  const { dataDir } = store;
  const all = store.list();
  const metadata = all.find(({ isCurrent }) => isCurrent)?.metadata ?? null;
  const date = metadata === null ? null : dataDateOf(metadata);
  const age = metadata === null ? null : dataAge(date, nowMs);
  const files = metadata === null ? [] : store.appliedFiles(metadata);
  return {
    /** The current snapshot; null if there is none or it is unreadable. */
    snapshot: metadata && {
      id: metadata.id,
      created_at: metadata.createdAt,
      source: describeSource(metadata),
      specialty_names: metadata.taxonomySource,
      counts: metadata.counts,
      /** The parts that `include` can add to a record. */
      details: metadata.details ?? [],
      files: files.map(({ begin, end, kind, name }) => ({
        name,
        kind,
        begin,
        end,
      })),
      /** True for invented providers. */
      demo: metadata.demo,
      data_date: date,
      data_age_days: age?.days ?? null,
      /** Days before that date that no imported file covers. */
      missing_days: missingDays(files),
    },
    snapshots: all.length,
    /** About old data; null if it is recent or of unknown age. */
    warning: age?.warning ?? null,
    update: readUpdateStatus(dataDir),
    ...changesOf(metadata?.id ?? null, dataDir),
    disk: diskUse(dataDir),
  };
}

/** Reads the changes to a snapshot. A fault in them, as on a full disk, must not hide the rest of the status. */
function changesOf(snapshot: string | null, dataDir: string) {
  try {
    const changes = snapshot === null ? null : changesTo(snapshot, dataDir);
    return { changes, changes_fault: null };
  } catch (error) {
    if (!(error instanceof ChangesDatabaseError)) throw error;
    return { changes: null, changes_fault: describeChangesFault(error) };
  }
}

function changesTo(snapshot: string, dataDir: string) {
  using reader = new ChangeReader(dataDir);
  const { origin, sets } = reader.lineage(snapshot);
  const listed = sets.filter(({ isListed }) => isListed);
  const last = listed.at(-1);
  return {
    sets: listed.length,
    changes: listed.reduce((sum, { counts }) => sum + countAll(counts), 0),
    /** The creation time of the data that the list of changes starts from. */
    complete_since: timeOfSnapshot(origin),
    /** Changes of the last import. */
    last: last === undefined ? null : { date: last.appliedOn, ...last.counts },
  };
}

/** Measures a data folder's disk use, and the space that this user may fill, in bytes. */
export function diskUse(dataDir: string) {
  const { bavail, bsize } = statfsSync(dataDir);
  return {
    snapshots: bytesBelow(join(dataDir, "snapshots")),
    downloads: bytesBelow(join(dataDir, "downloads")),
    databases: readdirSync(dataDir)
      .filter((name) => /\.sqlite(-wal|-shm)?$/.test(name))
      .reduce((sum, name) => sum + bytesOf(join(dataDir, name)), 0),
    free: bavail * bsize,
  };
}

/** Counts hard-linked files, such as details, once. */
function bytesBelow(folder: string): number {
  if (!existsSync(folder)) return 0;
  const seen = new Set<number>();
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).reduce(
    (sum, name) => sum + bytesOf(join(folder, name), seen),
    0,
  );
}

/** Measures a file; 0 for a folder, a file that is gone by now, and a file seen before. */
function bytesOf(path: string, seen: Set<number> = new Set()): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() !== true || seen.has(stat.ino)) return 0;
  seen.add(stat.ino);
  return stat.size;
}

function statusLines(status: Status, nowMs: number): string[] {
  const { snapshot } = status;
  return linesOf(status, {
    Snapshot: () =>
      snapshot === null
        ? "none served; import a registry file, or run snapshots list"
        : `${snapshot.id}, created ${minuteOf(snapshot.created_at)}`,
    Source: () => snapshot && snapshot.source,
    Data: () => snapshot && describeData(snapshot),
    Providers: () => snapshot && describeProviders(snapshot.counts),
    Details: () => snapshot && (snapshot.details.join(", ") || "none"),
    Taxonomy: () => snapshot && snapshot.specialty_names,
    Files: () => snapshot && snapshot.files.map(describeFile),
    Update: ({ update }) => describeUpdate(update, nowMs),
    Changes: describeChanges,
    Disk: ({ disk: { databases, downloads, free, snapshots } }) =>
      `${formatBytes(snapshots)} in ${counted(status.snapshots, "snapshot")}, ${formatBytes(downloads)} in downloads, ${formatBytes(databases)} in databases; ${formatBytes(free)} free`,
  });
}

function describeData({
  data_age_days: days,
  data_date: date,
  demo,
  missing_days: missing,
}: SnapshotStatus): string[] {
  const reach =
    date === null
      ? demo
        ? "a demo: invented providers, without a date"
        : "date unknown"
      : `through ${date}, ${counted(days ?? 0, "day")} old`;
  return missing.length === 0
    ? [reach]
    : [reach, `no imported file covers ${describeDays(missing)}`];
}

function describeFile({
  begin,
  end,
  kind,
  name,
}: SnapshotStatus["files"][number]): string {
  if (kind === "deactivations")
    return `${name} (deactivated NPIs as of ${end ?? ""})`;
  const period = end === null ? "" : `, ${begin ?? ""} to ${end}`;
  return `${name} (${kind === "full" ? "full" : "weekly"} file${period})`;
}

function describeUpdate(update: UpdateStatus | null, nowMs: number): string[] {
  if (update === null) return ["no schedule"];
  const { lastFinishedAt, lastMessage, lastOutcome, lastStartedAt } = update;
  const next =
    update.schedule === null
      ? "no schedule"
      : `${dueOf(update.nextAt, nowMs)} (${update.schedule}${update.zone === null ? "" : `, ${update.zone}`})`;
  if (lastStartedAt === null) return [next];
  const message = lastMessage === null ? "" : `: ${lastMessage}`;
  return [
    next,
    lastFinishedAt === null || lastFinishedAt < lastStartedAt
      ? `last started ${minuteOf(lastStartedAt)}, not finished`
      : `last finished ${minuteOf(lastFinishedAt)}, ${lastOutcome ?? "outcome unknown"}${message}`,
  ];
}

/** Says when an update is due. A running service reschedules it then; a killed one leaves the old time behind. */
function dueOf(nextAt: string | null, nowMs: number): string {
  if (nextAt === null) return "not scheduled";
  const isPast = Date.parse(nextAt) < nowMs - LATE_MS;
  return isPast
    ? `was due ${minuteOf(nextAt)}, but no service ran it`
    : `next ${minuteOf(nextAt)}`;
}

function describeChanges({
  changes,
  changes_fault: fault,
}: Status): string | string[] | null {
  if (fault !== null) return fault;
  if (changes === null) return null;
  const { last, sets } = changes;
  if (last === null) return "none listed yet";
  const { date, ...counts } = last;
  return [
    `last on ${date}: ${describeCounts(counts)}`,
    `${formatCount(changes.changes)} listed from ${counted(sets, "import")}; complete since ${minuteOf(changes.complete_since)}`,
  ];
}

/** Writes a time to the minute: `2026-11-15 06:00 UTC`. */
function minuteOf(iso: string): string {
  return `${iso.slice(0, 16).replace("T", " ")} UTC`;
}
