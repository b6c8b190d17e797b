import { existsSync, globSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import type { FilesAnswer } from "../contract/answers.ts";
import { MANIFEST } from "../contract/files.ts";
import { syncDir, writeDurably } from "../store/durable-files.ts";
import { filesFolder, KeptFiles } from "./kept-files.ts";
import { FILE_WRITER, type FilesInput } from "./write-files.ts";

/** The folder in which a process makes files, next to the finished ones, with its id at the end. */
const UNFINISHED = ".files-";
/** The most bytes of disk that the files take for a provider, while halves are joined: of the record, and of all details. */
const RECORD_BYTES = 160;
const DETAILS_BYTES = 240;

/** The most memory of the JavaScript values of a thread, in MB. The columns of a row group are outside of it. */
const MAX_HEAP_MB = 400;

/** A snapshot whose files are to be made. */
export interface FilesToMake extends Omit<FilesInput, "folder"> {
  readonly id: string;
  readonly providers: number;
  readonly dataDate: string | null;
  readonly source: string;
}

/** The disk has too little space for the files. */
export class NoSpaceForFiles extends Error {}

/** Returns the most bytes of disk that files take, or a little more. */
function bytesOfFiles({
  detailsPath,
  providers,
}: Pick<FilesToMake, "detailsPath" | "providers">) {
  const hasDetails = existsSync(detailsPath);
  return providers * (RECORD_BYTES + (hasDetails ? DETAILS_BYTES : 0));
}

/**
 * Makes the files of a snapshot in two threads, and puts them next to it, all at once. If it fails or is aborted,
 * nothing is left but what was there. Throws `NoSpaceForFiles`, file system errors, SnapshotFormatError, and the
 * signal's reason.
 */
export async function makeFiles(
  { dataDate, source, ...making }: FilesToMake,
  signal: AbortSignal,
): Promise<FilesAnswer> {
  const target = filesFolder(making.dataDir, making.id);
  const parent = join(target, "..");
  removeUnfinished(join(parent, ".."));
  await requireSpace(parent, bytesOfFiles(making));
  const folder = join(parent, UNFINISHED + process.pid);
  mkdirSync(folder);
  try {
    await using first = writer();
    await using second = writer();
    const [, others, changes] = await Promise.all([
      first.ask("write", 0, 2),
      second.ask("write", 1, 2),
      second.ask("writeChanges"),
    ]);
    const data = await first.ask("join", [others]);
    if (changes !== null) data.push(changes.file);
    const manifest: FilesAnswer = {
      data,
      meta: {
        snapshot: making.id,
        data_date: dataDate,
        changes_from: changes?.from ?? null,
        source,
      },
    };
    writeDurably(join(folder, MANIFEST), JSON.stringify(manifest));
    syncDir(folder);
    // Another process of this data folder may have made them since; what it hasn't finished has no list.
    const made = new KeptFiles(making.dataDir).manifestOf(making.id);
    if (made !== null) return made.answer;
    rmSync(target, { recursive: true, force: true });
    renameSync(folder, target);
    syncDir(parent);
    return manifest;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }

  function writer() {
    const { createdBy, dataDir, detailsPath, file } = making;
    return FILE_WRITER.inThread(
      { createdBy, dataDir, detailsPath, file, folder },
      { signal, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } },
    );
  }
}

/** Removes what processes left behind that were killed, and this one, in the folders of all snapshots. */
function removeUnfinished(snapshots: string): void {
  for (const path of globSync(`*/${UNFINISHED}*`, { cwd: snapshots }))
    if (!isRunning(Number(path.slice(path.lastIndexOf("-") + 1))))
      rmSync(join(snapshots, path), { recursive: true, force: true });
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

async function requireSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= bytes) return;
  const [needs, has] = [bytes, free].map((each) => (each / 1e9).toFixed(1));
  throw new NoSpaceForFiles(
    `The files need up to ${needs} GB of disk, and ${has} GB are free.`,
  );
}
