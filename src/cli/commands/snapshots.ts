import { existsSync } from "node:fs";
import { SnapshotFormatError } from "../../snapshot/container/section-file.ts";
import {
  inspectSnapshot,
  type InspectedFile,
} from "../../snapshot/inspect-snapshot.ts";
import {
  describeSource,
  type SnapshotMetadata,
} from "../../snapshot/metadata.ts";
import { Snapshot } from "../../snapshot/snapshot.ts";
import {
  verifyDetails,
  verifyExtended,
} from "../../snapshot/verify/verify-details.ts";
import { verifySnapshot } from "../../snapshot/verify/verify.ts";
import { SnapshotStore } from "../../store/store.ts";
import { command, CommandError, misuse, PROGRAM } from "../command.ts";
import {
  noCurrentSnapshot,
  requireFolder,
  storeIn,
  withImportLock,
} from "../data-folder.ts";
import { counted, formatBytes, formatCount } from "../output/format.ts";
import { linesOf, show, showList, tableOf } from "../output/show.ts";
import { ALL, DATA_DIR, JSON_OUTPUT } from "../settings/settings.ts";

const list = command({
  summary: "List snapshots, newest first; * marks the current one.",
  options: { json: JSON_OUTPUT, dataDir: DATA_DIR },
  run({ dataDir, json }, context) {
    showList(context, json, storeIn(dataDir).list(), {
      // Unknown facts of an unreadable one are null.
      facts: ({ detailsBytes, fileBytes, id, isCurrent, metadata }) => ({
        id,
        current: isCurrent,
        created_at: metadata?.createdAt ?? null,
        providers: metadata?.counts.providers ?? null,
        bytes: fileBytes,
        details: metadata?.details ?? [],
        details_bytes: detailsBytes,
        source: metadata === null ? null : describeSource(metadata),
        specialty_names: metadata?.taxonomySource ?? null,
      }),
      columns: {
        "": ({ isCurrent }) => (isCurrent ? "*" : ""),
        SNAPSHOT: ({ id }) => id,
        PROVIDERS: ({ metadata }) =>
          metadata === null ? "?" : formatCount(metadata.counts.providers),
        SIZE: ({ fileBytes }) => formatBytes(fileBytes),
        DETAILS: ({ detailsBytes: bytes }) =>
          bytes === 0 ? "none" : formatBytes(bytes),
        SOURCE: ({ metadata }) =>
          metadata === null
            ? "unreadable; run snapshots verify --all"
            : describeSource(metadata),
      },
      empty: "No snapshots yet. Create one with import or demo.",
    });
  },
});

const inspect = command({
  operands: { text: "[ID]", min: 0, max: 1 },
  summary:
    "Show what is in a snapshot's files: each section, its size, and what it is for.",
  details: [
    "Inspects the current snapshot unless you name another; snapshots list prints the IDs. Reads only the files' headers: to check their contents, use snapshots verify.",
  ],
  options: { json: JSON_OUTPUT, dataDir: DATA_DIR },
  run({ dataDir, json }, context, [id = null]) {
    const store = storeIn(dataDir);
    const snapshot = store
      .list()
      .find((each) => (id === null ? each.isCurrent : each.id === id));
    if (snapshot === undefined)
      throw id === null
        ? noCurrentSnapshot(store)
        : misuse(
            `There is no snapshot "${id}". Run snapshots list to see the IDs.`,
          );
    // The header says why metadata cannot be read, unless only the section itself is damaged.
    const files = inspectSnapshot(
      store.pathOf(snapshot.id),
      store.detailsPathOf(snapshot.id),
    );
    const { isCurrent, metadata } = snapshot;
    if (metadata === null)
      throw new CommandError(
        `The metadata of snapshot ${snapshot.id} is damaged. Run snapshots rollback, or import again.`,
      );
    show(context, json, inspectionFacts(metadata, isCurrent, files), () => [
      ...inspectionLines(metadata, isCurrent),
      ...files.flatMap(fileLines),
    ]);
  },
});

function inspectionLines(
  metadata: SnapshotMetadata,
  isCurrent: boolean,
): string[] {
  return linesOf(metadata, {
    Snapshot: ({ id }) => `${id}${isCurrent ? " (current)" : ""}`,
    Created: ({ createdAt }) => createdAt,
    "Made from": ({ madeFrom }) => madeFrom ?? "none",
    Source: describeSource,
    File: ({ files }) =>
      files.map(
        ({ begin, end, kind, name }) =>
          `${name} (${kind}${end === null ? "" : `, ${begin === null ? "" : `${begin} `}to ${end}`})`,
      ),
    Providers: ({ counts }) =>
      `${formatCount(counts.providers)}: ${formatCount(counts.individuals)} individuals, ${formatCount(counts.organizations)} organizations, ${formatCount(counts.withheld)} withheld; ${formatCount(counts.deactivated)} deactivated`,
    Details: ({ details = [] }) =>
      details.length === 0 ? "none" : details.join(", "),
    "Specialty names": ({ taxonomySource }) => taxonomySource,
  });
}

function fileLines({ bytes: total, name: file, sections }: InspectedFile) {
  return [
    "",
    `${file}: ${formatBytes(total)} in ${counted(sections.length, "section")}`,
    ...tableOf(sections, {
      SECTION: ({ name }) => name,
      BYTES: ({ bytes }) => formatCount(bytes),
      SHARE: ({ bytes }) =>
        `${(total === 0 ? 0 : (bytes / total) * 100).toFixed(1)}%`,
      ELEMENTS: ({ elementBytes, elements }) =>
        `${formatCount(elements)} x ${elementBytes}`,
      PURPOSE: ({ purpose }) =>
        purpose ?? "This version of the program does not know it.",
    }),
  ];
}

/** Makes JSON of an inspection. */
function inspectionFacts(
  metadata: SnapshotMetadata,
  isCurrent: boolean,
  files: readonly InspectedFile[],
) {
  return {
    id: metadata.id,
    current: isCurrent,
    created_at: metadata.createdAt,
    made_from: metadata.madeFrom,
    source: describeSource(metadata),
    applied_files: metadata.files.map(({ begin, end, kind, name }) => ({
      name,
      kind,
      begin,
      end,
    })),
    counts: metadata.counts,
    details: metadata.details ?? [],
    specialty_names: metadata.taxonomySource,
    files: files.map(({ bytes, name, sections }) => ({
      name,
      bytes,
      sections: sections.map((section) => ({
        name: section.name,
        bytes: section.bytes,
        elements: section.elements,
        element_bytes: section.elementBytes,
        purpose: section.purpose,
      })),
    })),
  };
}

const verify = command({
  summary:
    "Check the current snapshot, or all: every checksum, and that its parts are consistent.",
  options: { all: ALL, dataDir: DATA_DIR },
  run({ all, dataDir }, context) {
    const store = storeIn(dataDir);
    const ids = all ? store.ids() : [store.currentId() ?? []].flat();
    if (ids.length === 0)
      throw new CommandError(
        `${dataDir} has no ${all ? "" : "current "}snapshot. Create one with import or demo.`,
      );
    let faulty = 0;
    for (const id of ids) {
      const check = checkSnapshot(store, id);
      if (check.faults.length === 0)
        context.out(`${id}: OK, ${counted(check.providers, "provider")}.`);
      else faulty++;
      for (const fault of check.faults) context.out(`${id}: ${fault}`);
    }
    if (faulty > 0)
      throw new CommandError(
        `${faulty === 1 ? "1 snapshot is" : `${faulty} snapshots are`} damaged. Run snapshots rollback, or import again.`,
      );
  },
});

/** Checks a stored snapshot: one sentence for each fault. */
export function checkSnapshot(
  store: SnapshotStore,
  id: string,
): { providers: number; faults: string[] } {
  try {
    const checked = checkApart(store, id);
    const path = store.pathOf(id);
    return checked.faults.length === 0
      ? { ...checked, faults: verifyExtended(path, store.detailsPathOf(id)) }
      : checked;
  } catch (error) {
    // A damaged file can throw any error, which is then the fault.
    return {
      providers: 0,
      faults: [error instanceof Error ? error.message : String(error)],
    };
  }
}

/** Checks the snapshot and its details. The snapshot's memory is free afterwards. */
function checkApart(
  store: SnapshotStore,
  id: string,
): ReturnType<typeof checkSnapshot> {
  using snapshot = new Snapshot(store.share(id));
  return {
    providers: snapshot.count,
    faults: [
      ...verifySnapshot(snapshot),
      ...verifyDetails(snapshot, store.detailsPathOf(id)),
    ],
  };
}

const rollback = command({
  summary:
    "Go back to the previous snapshot; a running service switches within five seconds.",
  details: [
    "The snapshot that was current is kept until later imports replace it. Never goes back to a damaged snapshot.",
  ],
  options: { dataDir: DATA_DIR },
  async run({ dataDir }, context) {
    requireFolder(dataDir);
    const store = new SnapshotStore(dataDir);
    await withImportLock(dataDir, () => {
      const from = store.currentId();
      const { providers, to } = rollbackTarget(store, from);
      const line = `Rolled back to ${to} (${counted(providers, "provider")}) from ${from ?? "none"}`;
      if (from !== null && isDamaged(store, from)) {
        store.makeCurrent(to, context.now());
        context.out(
          `${line}, which is damaged. The next update imports its files again.`,
        );
        return;
      }
      const isRemembered = store.rollBackTo(to, context.now());
      context.out(`${line}.`);
      if (!isRemembered)
        context.err(
          `${PROGRAM}: warning: The disk of ${dataDir} is too full to record this rollback, so an update may import the same files again. Free some space, and turn updates off until you have.`,
        );
    });
  },
});

/** Chooses the snapshot before the current one. Fails if there is none, or it is damaged. */
function rollbackTarget(
  store: SnapshotStore,
  from: string | null,
): { to: string; providers: number } {
  const to = store.previousId();
  if (to === null)
    throw new CommandError(
      from === null
        ? `${store.dataDir} has no current snapshot. Create one with import or demo.`
        : `There is no snapshot before ${from}. To change the served data, import the files again.`,
    );
  const {
    faults: [fault],
    providers,
  } = checkSnapshot(store, to);
  if (fault !== undefined)
    throw new CommandError(
      `The previous snapshot ${to} is damaged (${fault.replace(/\.$/, "")}). Import the files again instead.`,
    );
  return { to, providers };
}

/** True if a snapshot's bytes are corrupt: then the rollback is from the damage, not from its files. */
function isDamaged(store: SnapshotStore, id: string): boolean {
  try {
    using snapshot = new Snapshot(store.share(id));
    return snapshot.corruptSections().length > 0;
  } catch (error) {
    if (error instanceof SnapshotFormatError || !existsSync(store.pathOf(id)))
      return true;
    throw error;
  }
}

export const SNAPSHOTS = { list, inspect, verify, rollback };
