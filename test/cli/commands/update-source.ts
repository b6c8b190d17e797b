/**
 * A page of the registry's, and one of NUCC's, on loopback, with files of invented providers; and updates from there.
 */

import assert from "node:assert/strict";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SnapshotStore } from "../../../src/store/store.ts";
import { Snapshot } from "../../../src/snapshot/snapshot.ts";
import { describeSource } from "../../../src/snapshot/metadata.ts";
import { checkSnapshot } from "../../../src/cli/commands/snapshots.ts";
import { writeSyntheticRegistry } from "../../../src/registry-generator/write-registry.ts";
import { runProgram, succeeded } from "../../support/program/program.ts";
import { temporaryFolder } from "../../support/pure/temporary-folder.ts";
import { FileServer } from "../../update/file-server.ts";
import { registryZip } from "../../update/week-zip.ts";

export const FULL = "NPPES_Data_Dissemination_November_2026.zip";
export const WEEK_1 = "NPPES_Data_Dissemination_110926_111526_Weekly.zip";
export const WEEK_2 = "NPPES_Data_Dissemination_111626_112226_Weekly.zip";
export const TAXONOMY = "nucc_taxonomy_261.csv";
export const TAXONOMY_TEXT = `Code,Display Name\r\n207Q00000X,"Family Medicine Physician"\r\n`;

/** Fewer than the full file has, or it would be refused. */
const OCTOBER_PROVIDERS = 250;
const PAGE = "/nppes/NPI_Files.html";
const ZIPS = {
  [FULL]: await registryZip({ asOf: "2026-11-08" }),
  [WEEK_1]: await registryZip({ from: "2026-11-09", to: "2026-11-15" }),
  [WEEK_2]: await registryZip({ from: "2026-11-16", to: "2026-11-22" }),
};

export class UpdateSource implements AsyncDisposable {
  readonly server: FileServer;

  private constructor(server: FileServer) {
    this.server = server;
  }

  /** Offers files by the names above; without names all of them. */
  static async start(
    names: readonly string[] = Object.keys(ZIPS),
  ): Promise<UpdateSource> {
    const source = new UpdateSource(await FileServer.start());
    for (const [name, bytes] of Object.entries(ZIPS)) source.put(name, bytes);
    source.link(names);
    source.taxonomy(TAXONOMY, TAXONOMY_TEXT);
    return source;
  }

  put(name: string, bytes: Uint8Array): void {
    this.server.files.set(this.path(name), { bytes, etag: `"${name}"` });
  }

  path(name: string): string {
    return `/nppes/${name}`;
  }

  link(names: readonly string[]): void {
    const links = names.map((name) => `<a href="./${name}">${name}</a>`);
    this.server.page(PAGE, `<html><body>${links.join("\n")}</body></html>`);
  }

  taxonomy(name: string, text: string): void {
    this.server.page("/csv", `<a href="/CSV/${name}">${name}</a>`);
    this.server.page(`/CSV/${name}`, text);
  }

  args(): string[] {
    const { server } = this;
    return [
      "--source",
      server.url(PAGE).href,
      "--taxonomy-source",
      server.url("/csv").href,
    ];
  }

  /** The number of requests for a file. */
  asked(name: string): number {
    return this.server.asked.filter(({ path }) => path.endsWith(name)).length;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server[Symbol.asyncDispose]();
  }
}

/** The bytes of a file that a source offers. */
export function zipOf(name: keyof typeof ZIPS): Buffer {
  return ZIPS[name];
}

/** A data folder that goes with the test, with the named files imported into it. */
export class Installation implements Disposable {
  readonly #folder = temporaryFolder();
  readonly dataDir: string;

  constructor(dataDir?: string) {
    this.dataDir = dataDir ?? join(this.#folder.path, "data");
  }

  async import(name: keyof typeof ZIPS): Promise<void> {
    const path = join(this.#folder.path, name);
    writeFileSync(path, ZIPS[name]);
    await succeeded(this.run("import", path));
  }

  /** Imports the full file of the month before, which the source offers no longer. */
  async importOctober(): Promise<void> {
    const out = join(this.#folder.path, "october.zip");
    const contents = { providers: OCTOBER_PROVIDERS, asOf: "2026-10-11" };
    await writeSyntheticRegistry({ ...contents, out });
    await succeeded(this.run("import", out));
  }

  run(command: string, ...args: string[]) {
    return runProgram([command, ...args, "--data-dir", this.dataDir]);
  }

  update(source: UpdateSource, ...args: string[]) {
    return this.run("update", ...source.args(), ...args);
  }

  copy(): Installation {
    const copy = new Installation();
    cpSync(this.dataDir, copy.dataDir, { recursive: true });
    return copy;
  }

  get store(): SnapshotStore {
    return new SnapshotStore(this.dataDir);
  }

  /** The snapshot that is served, which must be sound; null for none. */
  served(): Snapshot | null {
    const id = this.store.currentId();
    if (id === null) return null;
    const snapshot = new Snapshot(this.store.share(id));
    assert.deepEqual(checkSnapshot(this.store, id).faults, []);
    return snapshot;
  }

  /** Where the data come from that are served. */
  source(): string | null {
    const metadata = this.served()?.metadata;
    return metadata === undefined ? null : describeSource(metadata);
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}
