/** The changes between two snapshots, found by comparing all records of both. */

import type { Change, ChangeKind } from "../../../../src/changes/change.ts";
import { ParsedDirectory } from "../engine/parsed-directory.ts";
import { Snapshot } from "../../../../src/snapshot/snapshot.ts";
import type { SnapshotStore } from "../../../../src/store/store.ts";

/** The changes in the order of their NPIs, fields in alphabetical order. */
export function bruteChanges(
  store: SnapshotStore,
  before: string,
  after: string,
): Change[] {
  const old = recordsOf(store, before);
  const now = recordsOf(store, after);
  return [...new Set([...old.keys(), ...now.keys()])]
    .sort()
    .flatMap((npi) => changeOf(npi, old.get(npi), now.get(npi)) ?? []);
}

/** The same change with its fields in alphabetical order. */
export function sortedFields({ fields, kind, npi }: Change): Change {
  return {
    npi,
    kind,
    fields: Object.fromEntries(
      Object.keys(fields)
        .sort()
        .map((path) => [path, fields[path] ?? [null, null]]),
    ),
  };
}

type Fields = ReadonlyMap<string, string | null>;

function recordsOf(store: SnapshotStore, id: string): Map<string, Fields> {
  const snapshot = new Snapshot(store.share(id));
  const directory = new ParsedDirectory(snapshot);
  return new Map(
    Array.from(snapshot.npi, String).map((npi) => {
      const record = directory.recordOf(npi);
      const { name, practice_address, primary_taxonomy, ...rest } =
        record ?? raise(npi);
      return [
        npi,
        new Map<string, string | null>([
          ...Object.entries(rest),
          ...parts("name", name),
          ...parts("practice_address", practice_address),
          ["primary_taxonomy.code", primary_taxonomy?.code ?? null],
        ]),
      ];
    }),
  );
}

function parts(path: string, value: object | null): [string, string | null][] {
  return Object.entries(value ?? {}).map(([member, text]) => [
    `${path}.${member}`,
    text,
  ]);
}

function changeOf(
  npi: string,
  old: Fields | undefined,
  now: Fields | undefined,
): Change | null {
  if (old === undefined) return { npi, kind: "added", fields: {} };
  if (now === undefined) return { npi, kind: "removed", fields: {} };
  const paths = [...new Set([...old.keys(), ...now.keys()])].sort();
  const changed = paths.flatMap((path) => {
    const values = [old.get(path) ?? null, now.get(path) ?? null] as const;
    return values[0] === values[1] ? [] : [[path, values] as const];
  });
  if (changed.length === 0) return null;
  let kind: ChangeKind = "changed";
  if (old.get("status") !== now.get("status"))
    kind = now.get("status") === "active" ? "reactivated" : "deactivated";
  return { npi, kind, fields: Object.fromEntries(changed) };
}

function raise(npi: string): never {
  throw new Error(`The snapshot does not find its own NPI ${npi}.`);
}
