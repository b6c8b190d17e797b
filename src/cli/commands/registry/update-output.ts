import type { Installed, PlannedFile } from "../../../update/plan/plan.ts";
import type { DownloadProgress } from "../../../update/http/download.ts";
import type { Context } from "../../command.ts";
import { Progress } from "../../output/progress.ts";

const MONTHS = new Intl.DateTimeFormat("en-US", {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

/** The plan of an update: a line for each file with its reason. */
export function describePlan(
  files: readonly PlannedFile[],
  installed: Installed,
): string[] {
  return files.map((file) => `  ${file.name}: ${describe(file, installed)}`);
}

function describe(file: PlannedFile, { files, taxonomyVersion }: Installed) {
  if (file.kind === "taxonomy")
    return `specialty names, version ${versionText(file.version)} (installed: ${taxonomyVersion === null ? "none of NUCC's" : versionText(taxonomyVersion)})`;
  if (file.kind === "deactivations")
    return `deactivated NPIs as of ${file.date}`;
  if (file.kind === "week") return `weekly file, ${file.begin} to ${file.end}`;
  const full = files.find(({ kind }) => kind === "full");
  const why =
    full !== undefined
      ? "newer than the current one"
      : files.length === 0
        ? "the first one"
        : "replaces the current weekly files";
  return `full file of ${MONTHS.format(Date.parse(`${file.month}-01`))}, ${why}`;
}

/** 26.1 for 261. */
function versionText(version: number): string {
  return (version / 10).toFixed(1);
}

/** Shows the progress of each download. */
export class DownloadsShown implements Disposable {
  readonly #context: Context;
  #name = "";
  #shown: Progress | null = null;

  constructor(context: Context) {
    this.#context = context;
  }

  show({ bytes, bytesTotal, name }: DownloadProgress): void {
    if (name !== this.#name) {
      this[Symbol.dispose]();
      this.#name = name;
      this.#shown = new Progress(`Downloading ${name}`, this.#context);
    }
    const total = bytesTotal ?? 0;
    this.#shown?.update({ done: bytes, total, bytes, bytesTotal, rows: null });
  }

  [Symbol.dispose](): void {
    this.#shown?.[Symbol.dispose]();
    this.#shown = null;
  }
}
