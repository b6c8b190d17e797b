import { describeDays } from "../../../store/missing-days.ts";
import { SnapshotStore } from "../../../store/store.ts";
import { describeCounts } from "../registry/change-lines.ts";
import {
  fail,
  NO_OPERANDS,
  PROGRAM,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import { missingFolder } from "../../data-folder.ts";
import {
  installationStatus,
  type InstallationStatus,
} from "./installation-status.ts";
import { counted, formatBytes, formatCount } from "../../output/format.ts";
import { DATA_DIR, JSON_OUTPUT } from "../../settings/settings.ts";

/** An update this overdue is not about to start. */
const LATE_MS = 60_000;

export const statusCommand: Command = {
  operands: NO_OPERANDS,
  settings: [JSON_OUTPUT, DATA_DIR],
  summary:
    "Show the served data and its age, the next update, the last changes, and disk use.",
  details: [
    "Data older than ten days causes a warning on standard error; the exit code is still 0.",
  ],
  prepare(reader) {
    const dataDir = reader.read(DATA_DIR);
    const json = reader.read(JSON_OUTPUT);
    return (context) => Promise.resolve(showStatus(dataDir, json, context));
  },
};

function showStatus(
  dataDir: string,
  json: boolean,
  context: Context,
): ExitCode {
  const missing = missingFolder(dataDir);
  if (missing !== null) return fail(context, missing);
  const status = installationStatus(
    new SnapshotStore(dataDir, { create: false }),
    context.now(),
  );
  if (json) context.out(JSON.stringify(status, null, 2));
  else for (const line of statusLines(status, context.now())) context.out(line);
  if (status.warning !== null)
    context.err(`${PROGRAM}: warning: ${status.warning}`);
  return 0;
}

type ImportedFile = NonNullable<
  InstallationStatus["snapshot"]
>["files"][number];

/** The status as text. */
function statusLines(status: InstallationStatus, nowMs: number): string[] {
  const { databases, downloads, free, snapshots } = status.disk;
  return [
    ...snapshotLines(status.snapshot),
    ...updateLines(status.update, nowMs),
    ...changeLines(status),
    `Disk:      ${formatBytes(snapshots)} in ${counted(status.snapshots, "snapshot")}, ${formatBytes(downloads)} in downloads, ${formatBytes(databases)} in databases; ${formatBytes(free)} free`,
  ];
}

function snapshotLines(snapshot: InstallationStatus["snapshot"]): string[] {
  if (snapshot === null)
    return [
      "Snapshot:  none served; import a registry file, or run snapshots list",
    ];
  const {
    counts,
    data_age_days: days,
    data_date: date,
    missing_days: missing,
  } = snapshot;
  return [
    `Snapshot:  ${snapshot.id}, created ${minuteOf(snapshot.created_at)}`,
    `Source:    ${snapshot.source}`,
    `Data:      ${date === null ? "date unknown" : `through ${date}, ${counted(days ?? 0, "day")} old`}`,
    ...(missing.length === 0
      ? []
      : [`           no imported file covers ${describeDays(missing)}`]),
    `Providers: ${formatCount(counts.providers)} (${formatCount(counts.individuals)} individuals, ${formatCount(counts.organizations)} organizations, ${formatCount(counts.withheld)} withheld by the registry), ${formatCount(counts.deactivated)} of them deactivated`,
    `Details:   ${snapshot.details.length === 0 ? "none" : snapshot.details.join(", ")}`,
    `Taxonomy:  ${snapshot.specialty_names}`,
    ...snapshot.files.map(
      (file, index) =>
        (index === 0 ? "Files:" : "").padEnd(11) + describeFile(file),
    ),
  ];
}

function describeFile({ begin, end, kind, name }: ImportedFile): string {
  if (kind === "deactivations")
    return `${name} (deactivated NPIs as of ${end ?? ""})`;
  const period = end === null ? "" : `, ${begin ?? ""} to ${end}`;
  return `${name} (${kind === "full" ? "full" : "weekly"} file${period})`;
}

function updateLines(
  update: InstallationStatus["update"],
  nowMs: number,
): string[] {
  if (update === null) return ["Update:    no schedule"];
  const { lastFinishedAt, lastMessage, lastOutcome, lastStartedAt } = update;
  const next =
    update.schedule === null
      ? "no schedule"
      : `${dueOf(update.nextAt, nowMs)} (${update.schedule}${update.zone === null ? "" : `, ${update.zone}`})`;
  const message = lastMessage === null ? "" : `: ${lastMessage}`;
  if (lastStartedAt === null) return [`Update:    ${next}`];
  return [
    `Update:    ${next}`,
    lastFinishedAt === null || lastFinishedAt < lastStartedAt
      ? `           last started ${minuteOf(lastStartedAt)}, not finished`
      : `           last finished ${minuteOf(lastFinishedAt)}, ${lastOutcome ?? "outcome unknown"}${message}`,
  ];
}

/** A running service reschedules when an update is due; a killed one leaves the old time behind. */
function dueOf(nextAt: string | null, nowMs: number): string {
  if (nextAt === null) return "not scheduled";
  const isPast = Date.parse(nextAt) < nowMs - LATE_MS;
  return isPast
    ? `was due ${minuteOf(nextAt)}, but no service ran it`
    : `next ${minuteOf(nextAt)}`;
}

function changeLines({
  changes,
  changes_fault: fault,
}: InstallationStatus): string[] {
  if (fault !== null) return [`Changes:   ${fault}`];
  if (changes === null) return [];
  const { last, sets } = changes;
  if (last === null) return ["Changes:   none listed yet"];
  const { date, ...counts } = last;
  return [
    `Changes:   last on ${date}: ${describeCounts(counts)}`,
    `           ${formatCount(changes.changes)} listed from ${counted(sets, "import")}; complete since ${minuteOf(changes.complete_since)}`,
  ];
}

/** `2026-11-15 06:00 UTC`. */
function minuteOf(iso: string): string {
  return `${iso.slice(0, 16).replace("T", " ")} UTC`;
}
