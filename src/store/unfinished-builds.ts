import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { formatJson, writeDurably } from "./durable-files.ts";

/** The files of a snapshot's folder, while it is built and in the store. */
export const SNAPSHOT_FILE = "providers.snapshot";
export const DETAILS_FILE = "providers.details";
export const REPORT_FILE = "import-report.json";

const REPORT = /^import-report\..*json$/;
const UNFINISHED = ".unfinished-";

/**
 * The folders of a store in which imports build snapshots, `snapshots/.unfinished-ID`. A finished build is moved into
 * the store, or kept back for the next import to build on. A killed import leaves its folder behind.
 */
export class UnfinishedBuilds {
  readonly #dir: string;

  /** Finds builds in `dir`, the store's folder of snapshots. */
  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Creates the folder in which to build the snapshot `id`. */
  begin(id: string): string {
    const dir = this.dirOf(id);
    mkdirSync(dir);
    return dir;
  }

  dirOf(id: string): string {
    return join(this.#dir, UNFINISHED + id);
  }

  snapshotPathIn(buildDir: string): string {
    return join(buildDir, SNAPSHOT_FILE);
  }

  detailsPathIn(buildDir: string): string {
    return join(buildDir, DETAILS_FILE);
  }

  ids(): string[] {
    return readdirSync(this.#dir)
      .filter((name) => name.startsWith(UNFINISHED))
      .map((name) => name.slice(UNFINISHED.length));
  }

  /** Lists the paths of all build folders: those in progress, kept back, or left behind by a killed import. */
  list(): string[] {
    return this.ids().map((id) => this.dirOf(id));
  }

  /**
   * Keeps a finished build out of the store for the next import to build on. An import that does not build on it
   * removes it.
   */
  keepBack(buildDir: string, report: unknown): void {
    writeDurably(join(buildDir, REPORT_FILE), formatJson(report));
  }

  /** Moves the reports of a kept-back build to the build based on it, as `import-report.ID.json`. */
  inheritReports(fromId: string, buildDir: string): void {
    const from = this.dirOf(fromId);
    for (const name of readdirSync(from).filter((each) => REPORT.test(each)))
      renameSync(
        join(from, name),
        join(
          buildDir,
          name === REPORT_FILE ? `import-report.${fromId}.json` : name,
        ),
      );
  }

  discard(buildDir: string): void {
    rmSync(buildDir, { recursive: true, force: true });
  }

  /**
   * Removes builds that a killed import left behind, except `keptId`, which was kept back. The caller must have the
   * import lock.
   */
  discardAll(keptId: string | null = null): void {
    for (const id of this.ids())
      if (id !== keptId) this.discard(this.dirOf(id));
  }
}
