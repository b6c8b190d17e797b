/** The arguments of every command on a small installation, so no command is forgotten. */

import assert from "node:assert/strict";
import { cpSync, linkSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { NamedCommand } from "../../../src/cli/command.ts";
import { LOADED_COMMANDS } from "./loaded-commands.ts";
import { createKey } from "./create-key.ts";
import { demoFolder } from "./demo-folder.ts";
import { temporaryFolder } from "../pure/temporary-folder.ts";

const ADA = "ada@clinic.example";

/** A data folder with two snapshots and one account with a key. */
export interface SmallInstallation {
  readonly dataDir: string;
  /** The start of the key. */
  readonly prefix: string;
  /** A list of NPIs, with a header only. */
  readonly roster: string;
}

/** Creates such a data folder in a folder. */
export async function smallInstallation(
  folder: string,
): Promise<SmallInstallation> {
  const dataDir = join(folder, "data");
  using demo = await demoFolder();
  cpSync(demo.path, dataDir, { recursive: true });
  const key = await createKey(dataDir, { email: ADA });
  const roster = join(folder, "roster.csv");
  writeFileSync(roster, "npi\n");
  return { dataDir, prefix: key.slice(0, 12), roster };
}

/** A copy of such a data folder, which is removed with the test. */
export function copyOf(
  installation: SmallInstallation,
): SmallInstallation & Disposable {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, "data");
  // Snapshots are never changed in place, so links to their files do: copying megabytes for each command takes longer.
  const snapshots = join(installation.dataDir, "snapshots");
  const isOfSnapshot = (path: string) => dirname(dirname(path)) === snapshots;
  cpSync(installation.dataDir, dataDir, {
    recursive: true,
    filter: (path) => !isOfSnapshot(path),
  });
  for (const file of readdirSync(snapshots, {
    recursive: true,
    encoding: "utf8",
  }))
    if (isOfSnapshot(join(snapshots, file)))
      linkSync(join(snapshots, file), join(dataDir, "snapshots", file));
  return {
    ...installation,
    dataDir,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const NOWHERE = "http://127.0.0.1:9/";

/** The arguments of each command other than the data folder; none connects to another machine. */
const ARGUMENTS: Readonly<
  Record<string, (installation: SmallInstallation) => readonly string[]>
> = {
  update: () => ["--source", NOWHERE, "--taxonomy-source", NOWHERE],
  import: () => ["no-such-file.csv"],
  serve: () => ["--port", "0", "--workers", "1", "--portal", "off"],
  status: () => [],
  changes: () => [],
  search: () => ["state=CA"],
  export: () => ["state=CA"],
  check: ({ roster }) => [roster],
  mcp: () => [],
  "keys create": () => ["--email", "eve@clinic.example"],
  "keys list": () => [],
  "keys revoke": ({ prefix }) => [prefix],
  "keys rename": ({ prefix }) => [prefix, "--name", "intake"],
  "keys rotate": ({ prefix }) => [prefix],
  "accounts list": () => [],
  "accounts show": () => [ADA],
  "accounts set-plan": () => [ADA, "paid"],
  "accounts suspend": () => [ADA],
  "accounts resume": () => [ADA],
  "accounts disable-2fa": () => [ADA],
  "accounts delete": () => [ADA],
  "accounts audit": () => [],
  "accounts backup": ({ dataDir }) => [`${dataDir}.backup`],
  "accounts migrate": () => ["--to", "postgres://user@127.0.0.1:9/nowhere"],
  "snapshots list": () => [],
  "snapshots inspect": () => [],
  "snapshots verify": () => [],
  "snapshots rollback": () => [],
  publish: ({ dataDir }) => [
    "--snapshot-store",
    pathToFileURL(dirname(dataDir)).href,
  ],
  fleet: () => ["--database-url", "postgres://user@127.0.0.1:9/nowhere"],
  demo: () => ["--providers", "50"],
  generate: ({ dataDir }) => ["--out", `${dataDir}.csv`, "--providers", "10"],
  start: () => ["--port", "0", "--workers", "1", "--portal", "off"],
};

/** All commands except some. Those missing from the table above fail the test. */
export function everyCommand(
  ...but: readonly string[]
): readonly NamedCommand[] {
  return LOADED_COMMANDS.filter((command) => !but.includes(nameOf(command)));
}

export function nameOf({ words }: NamedCommand): string {
  return words.join(" ");
}

/** The command line of a command. */
export function commandLine(
  command: NamedCommand,
  installation: SmallInstallation,
): string[] {
  const name = nameOf(command);
  const args = ARGUMENTS[name];
  assert.ok(
    args !== undefined,
    `test/support/program/every-command.ts lacks ${name}`,
  );
  const hasFolder = command.settings.some(({ flag }) => flag === "data-dir");
  return [
    ...command.words,
    ...args(installation),
    ...(hasFolder ? ["--data-dir", installation.dataDir] : []),
  ];
}
