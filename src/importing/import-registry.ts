import type { DetailPart } from "../contract/detail-parts.ts";
import { RegistryFile } from "../registry/files/open-file.ts";
import {
  readRegistryFile,
  type RegistryFileSummary,
} from "../registry/rows/read-registry-file.ts";
import { DetailsImport } from "./details-import.ts";
import { Entry, SnapshotDraft } from "../snapshot/build/draft.ts";
import {
  decideImport,
  needsChecksum,
  nothingNewMessage,
} from "./import-decision.ts";
import { openBase, openRealBase } from "./import-base.ts";
import {
  mergeDeactivations,
  type DeactivationCounts,
  type ImportedFiles,
} from "./deactivation-merger.ts";
import {
  BadRowExamples,
  faultOfRows,
  makeReport,
  type ImportReport,
} from "./import-report.ts";
import { RowMerger } from "./row-merger.ts";
import {
  publish,
  UnfinishedBuild,
  type BuiltSnapshot,
  type PublishRequest,
} from "./publish.ts";
import type { BaseSnapshot } from "../snapshot/base-snapshot.ts";

const NO_FILES: ReadonlySet<number> = new Set();

export interface ImportRequest extends PublishRequest {
  /** The registry's zip or CSV, or its report of deactivated NPIs. */
  path: string;
  deactivatedDetails: "keep" | "withhold";
  /** The parts of the registry's details to keep. */
  details: ReadonlySet<DetailPart>;
  /** Ignores bad rows, missing rows, and a file older than the data. */
  force: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: ImportProgress) => void;
}

export type ImportProgress =
  | { phase: "reading"; bytesRead: number; bytesTotal: number; rows: number }
  | { phase: "building"; rows: number };

/** The outcome of an import. A message is a sentence for the operator. */
export type ImportOutcome =
  | { status: "imported"; id: string; report: ImportReport }
  | { status: "unchanged"; message: string }
  | { status: "refused"; message: string };

/**
 * Imports one registry file as a new snapshot, which becomes current at the very end, unless it is kept back. Until
 * then the service is not affected. The caller must have the import lock of the data folder. Throws RegistryFileError
 * if the file cannot be read, SnapshotFormatError if the base cannot be used, and file system errors.
 */
export async function importRegistryFile(
  request: ImportRequest,
): Promise<ImportOutcome> {
  const { force, now, onto = null, path, store } = request;
  const startedAt = now();
  store.builds.discardAll(onto);
  await using file = await RegistryFile.open(path);
  const offered = await file.info();
  const isFull = offered.period.kind === "full";
  // Demo providers replace all data; a week of them builds on the demo.
  using base = !request.demo
    ? openRealBase(store, force && isFull, onto)
    : isFull
      ? null
      : openBase(store, false);
  const applied = base === null ? [] : store.appliedFiles(base.metadata);
  const crc32 =
    !force && needsChecksum(applied, offered)
      ? await file.checksum(request.signal)
      : offered.crc32;
  const decision = decideImport(applied, { ...offered, crc32 }, force);
  if (decision.status !== "import") return decision;

  const isUpdate = decision.kind === "update";
  const files = isUpdate ? applied : [];
  const newerFiles = isUpdate ? decision.newerFiles : NO_FILES;
  using unfinished = new UnfinishedBuild(store, now());
  using details = await DetailsImport.begin({
    file,
    parts: request.details,
    base,
    isUpdate,
    target: store.builds.detailsPathIn(unfinished.dir),
    id: unfinished.id,
    signal: request.signal,
  });
  const draft = new SnapshotDraft();
  const merger = new RowMerger(draft, {
    base,
    file: files.length,
    isUpdate,
    deactivatedDetails: request.deactivatedDetails,
    newerFiles,
    details: details?.rows ?? null,
  });
  if (isUpdate) merger.addWithheld();
  const examples = new BadRowExamples();
  const { deactivations, summary } =
    offered.period.kind === "deactivations"
      ? await readReport(file, request, base, merger, examples, {
          files,
          newerFiles,
        })
      : await readProviders(file, request, merger, examples, details);
  details?.endRows(!isUpdate || !decision.isOlder);
  const report = makeReport({
    startedAt,
    now,
    files,
    summary,
    examples,
    merger,
    deactivations,
    details,
  });
  const mergesInto = isUpdate ? base : null;
  const currentCount = mergesInto === null ? (base?.count ?? 0) : null;
  const fault = force ? null : faultOfRows(summary, currentCount);
  if (fault !== null)
    return {
      status: "refused",
      message: `${fault}. See the report, ${store.writeRefusedReport(report)}.`,
    };
  if (base !== null && deactivations !== null && draft.rows.count === 0) {
    store.noteWithoutEffect(base.metadata, report.file);
    return { status: "unchanged", message: nothingNewMessage(report.file) };
  }
  request.onProgress?.({ phase: "building", rows: draft.rows.count });
  const merged =
    mergesInto === null || onto !== null ? null : draft.rows.column(Entry.npi);
  const published = await publish(request, {
    unfinished,
    details,
    mergedInto: mergesInto,
    draft,
    files: [...files, report.file],
    base: base === null ? null : servedBefore(request, base),
    merged,
    report,
  });
  return { status: "imported", ...published };
}

/** Finds the snapshot served until the new one is: the base, or the current snapshot if the base was kept back. */
function servedBefore(
  { onto = null, store }: ImportRequest,
  base: BaseSnapshot,
): BuiltSnapshot["base"] {
  const id = onto === null ? base.metadata.id : store.currentId();
  return id === null ? null : { id, path: store.pathOf(id) };
}

/** The data that was read from a file, with the outcome of a report of deactivated NPIs. */
interface ReadFile {
  summary: RegistryFileSummary;
  deactivations: DeactivationCounts | null;
}

async function readProviders(
  file: RegistryFile,
  request: ImportRequest,
  merger: RowMerger,
  examples: BadRowExamples,
  details: DetailsImport | null,
): Promise<ReadFile> {
  const summary = await readRegistryFile(
    file.source,
    {
      details: details === null ? null : details.parts,
      onNpis: (npis) => details?.rows.readAhead(npis),
      onRow: (row) => merger.addRow(row),
      onBadRow: (bad) => examples.add(bad),
      onProgress: (progress) =>
        request.onProgress?.({ phase: "reading", ...progress }),
    },
    request.signal,
  );
  return { summary, deactivations: null };
}

async function readReport(
  file: RegistryFile,
  { signal }: ImportRequest,
  base: BaseSnapshot | null,
  merger: RowMerger,
  examples: BadRowExamples,
  files: ImportedFiles,
): Promise<ReadFile> {
  const { readDeactivations } =
    await import("../registry/deactivations/read-deactivations.ts");
  const report = await readDeactivations(file.source, signal);
  for (const bad of report.badRows) examples.add(bad);
  const { summary } = report;
  return {
    summary,
    deactivations:
      base === null ? null : mergeDeactivations(report, base, merger, files),
  };
}

/**
 * Rebuilds the current snapshot with new display names of taxonomies and makes the result current; providers and files
 * stay the same. The caller must have the import lock of the data folder. Returns the new snapshot's id. Throws
 * SnapshotFormatError if the current snapshot cannot be used.
 */
export async function renameTaxonomies(
  request: Omit<PublishRequest, "demo" | "keepBack" | "onto">,
): Promise<string> {
  const { now, store, taxonomy } = request;
  store.builds.discardAll();
  using base = openBase(store, false);
  if (base === null)
    throw new Error("There is no snapshot whose taxonomies could be renamed.");
  const { demo, id: baseId } = base.metadata;
  using unfinished = new UnfinishedBuild(store, now());
  using details = DetailsImport.copy({
    base,
    id: unfinished.id,
    target: store.builds.detailsPathIn(unfinished.dir),
  });
  const { id } = await publish(
    { ...request, demo },
    {
      unfinished,
      details,
      mergedInto: base,
      draft: new SnapshotDraft(),
      files: store.appliedFiles(base.metadata),
      base: { id: baseId, path: store.pathOf(baseId) },
      merged: new Uint32Array(0),
      report: {
        startedAt: new Date(now()).toISOString(),
        taxonomySource: taxonomy.source,
      },
    },
  );
  return id;
}
