import {
  inspectSnapshot,
  type InspectedFile,
} from "../../../snapshot/inspect-snapshot.ts";
import {
  describeSource,
  type SnapshotMetadata,
} from "../../../snapshot/metadata.ts";
import { SnapshotStore } from "../../../store/store.ts";
import {
  fail,
  refuseMisuse,
  type Command,
  type Context,
  type ExitCode,
} from "../../command.ts";
import { missingFolder, noCurrentSnapshot } from "../../data-folder.ts";
import {
  counted,
  formatBytes,
  formatCount,
  formatTable,
} from "../../output/format.ts";
import { DATA_DIR, JSON_OUTPUT } from "../../settings/settings.ts";

interface Options {
  /** Null for the current snapshot. */
  readonly id: string | null;
  readonly dataDir: string;
  readonly json: boolean;
}

export const snapshotsInspectCommand: Command = {
  operands: { text: "[ID]", min: 0, max: 1 },
  settings: [JSON_OUTPUT, DATA_DIR],
  summary:
    "Show what is in a snapshot's files: each section, its size, and what it is for.",
  details: [
    "Inspects the current snapshot unless you name another; snapshots list prints the IDs. Reads only the files' headers: to check their contents, use snapshots verify.",
  ],
  prepare(reader, [id = null]) {
    const options: Options = {
      id,
      dataDir: reader.read(DATA_DIR),
      json: reader.read(JSON_OUTPUT),
    };
    return (context) => Promise.resolve(inspect(options, context));
  },
};

function inspect({ dataDir, id, json }: Options, context: Context): ExitCode {
  const missing = missingFolder(dataDir);
  if (missing !== null) return fail(context, missing);
  const store = new SnapshotStore(dataDir, { create: false });
  const snapshot = store
    .list()
    .find((each) => (id === null ? each.isCurrent : each.id === id));
  if (snapshot === undefined)
    return id === null
      ? fail(context, noCurrentSnapshot(store))
      : refuseMisuse(
          context,
          `There is no snapshot "${id}". Run snapshots list to see the IDs.`,
        );
  // The header says why metadata cannot be read, unless only the section itself is damaged.
  const files = inspectSnapshot(
    store.pathOf(snapshot.id),
    store.detailsPathOf(snapshot.id),
  );
  const { metadata } = snapshot;
  if (metadata === null)
    return fail(
      context,
      `The metadata of snapshot ${snapshot.id} is damaged. Run snapshots rollback, or import again.`,
    );
  if (json)
    context.out(JSON.stringify(factsOf(metadata, snapshot, files), null, 2));
  else printInspection(metadata, snapshot.isCurrent, files, context);
  return 0;
}

function printInspection(
  metadata: SnapshotMetadata,
  isCurrent: boolean,
  files: readonly InspectedFile[],
  context: Context,
): void {
  const { counts, details = [] } = metadata;
  const rows: [label: string, value: string][] = [
    ["Snapshot", `${metadata.id}${isCurrent ? " (current)" : ""}`],
    ["Created", metadata.createdAt],
    ["Made from", metadata.madeFrom ?? "none"],
    ["Source", describeSource(metadata)],
    ...metadata.files.map(({ begin, end, kind, name }): [string, string] => [
      "File",
      `${name} (${kind}${end === null ? "" : `, ${begin === null ? "" : `${begin} `}to ${end}`})`,
    ]),
    [
      "Providers",
      `${formatCount(counts.providers)}: ${formatCount(counts.individuals)} individuals, ${formatCount(counts.organizations)} organizations, ${formatCount(counts.withheld)} withheld; ${formatCount(counts.deactivated)} deactivated`,
    ],
    ["Details", details.length === 0 ? "none" : details.join(", ")],
    ["Specialty names", metadata.taxonomySource],
  ];
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  for (const [label, value] of rows)
    context.out(`${`${label}:`.padEnd(width)}${value}`);
  for (const file of files) {
    context.out("");
    context.out(
      `${file.name}: ${formatBytes(file.bytes)} in ${counted(file.sections.length, "section")}`,
    );
    for (const line of sectionTable(file)) context.out(line);
  }
}

function sectionTable({ bytes: total, sections }: InspectedFile): string[] {
  return formatTable(
    ["SECTION", "BYTES", "SHARE", "ELEMENTS", "PURPOSE"],
    sections.map(({ bytes, elementBytes, elements, name, purpose }) => [
      name,
      formatCount(bytes),
      `${(total === 0 ? 0 : (bytes / total) * 100).toFixed(1)}%`,
      `${formatCount(elements)} x ${elementBytes}`,
      purpose ?? "This version of the program does not know it.",
    ]),
  );
}

/** An inspection as `--json` prints it. */
function factsOf(
  metadata: SnapshotMetadata,
  { isCurrent }: { readonly isCurrent: boolean },
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
