import { describeSource } from "../../../snapshot/metadata.ts";
import { SnapshotStore, type StoredSnapshot } from "../../../store/store.ts";
import {
  fail,
  NO_OPERANDS,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import { missingFolder } from "../../data-folder.ts";
import { formatBytes, formatCount, formatTable } from "../../output/format.ts";
import { DATA_DIR, JSON_OUTPUT } from "../../settings/settings.ts";

export const snapshotsListCommand: Command = {
  operands: NO_OPERANDS,
  settings: [JSON_OUTPUT, DATA_DIR],
  summary: "List snapshots, newest first; * marks the current one.",
  details: [],
  prepare(reader) {
    const dataDir = reader.read(DATA_DIR);
    const json = reader.read(JSON_OUTPUT);
    return (context) => Promise.resolve(listSnapshots(dataDir, json, context));
  },
};

function listSnapshots(
  dataDir: string,
  json: boolean,
  context: Context,
): ExitCode {
  const missing = missingFolder(dataDir);
  if (missing !== null) return fail(context, missing);
  const snapshots = new SnapshotStore(dataDir, { create: false }).list();
  if (json) context.out(JSON.stringify(snapshots.map(snapshotFacts), null, 2));
  else if (snapshots.length === 0)
    context.out("No snapshots yet. Create one with import or demo.");
  else {
    const rows = snapshots.map((snapshot) => {
      const { bytes, current, details_bytes, id, providers, source } =
        snapshotFacts(snapshot);
      const unreadable = "unreadable; run snapshots verify --all";
      return [
        current ? "*" : "",
        id,
        providers === null ? "?" : formatCount(providers),
        formatBytes(bytes),
        details_bytes === 0 ? "none" : formatBytes(details_bytes),
        source ?? unreadable,
      ];
    });
    for (const line of formatTable(
      ["", "SNAPSHOT", "PROVIDERS", "SIZE", "DETAILS", "SOURCE"],
      rows,
    ))
      context.out(line);
  }
  return 0;
}

/** A snapshot as `--json` prints it. Unknown facts of an unreadable one are null. */
function snapshotFacts({
  detailsBytes,
  fileBytes,
  id,
  isCurrent,
  metadata,
}: StoredSnapshot) {
  return {
    id,
    current: isCurrent,
    created_at: metadata?.createdAt ?? null,
    providers: metadata?.counts.providers ?? null,
    bytes: fileBytes,
    details: metadata?.details ?? [],
    details_bytes: detailsBytes,
    source: metadata === null ? null : describeSource(metadata),
    specialty_names: metadata?.taxonomySource ?? null,
  };
}
