import assert from "node:assert/strict";
import {
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { MemorySections } from "../../src/snapshot/container/sections.ts";
import {
  FULL,
  people,
  SmallRegistry,
} from "../support/pure/registry/small-registry.ts";

const WEEK = "npidata_pfile_20261109-20261115.csv";
const NEXT_WEEK = "npidata_pfile_20261116-20261122.csv";

/** Kinds of damage to the current snapshot, and the message of an import based on it. */
const DAMAGE: readonly [
  what: string,
  act: (registry: SmallRegistry) => void,
  says: RegExp,
][] = [
  [
    "one byte of a name is another",
    flipName,
    /is damaged: its section "last\.bytes" does not match its checksum/,
  ],
  [
    "its file is cut short",
    (registry) => truncateSync(currentPath(registry), 10_000),
    /is damaged \(The snapshot has 10000 bytes; its header says \d+\)/,
  ],
  [
    "it is of another version of the format",
    (registry) => overwrite(currentPath(registry), 8, 9),
    /is damaged \(The snapshot has format version 9, but this program reads 2 to 3\); run snapshots rollback, or import a full file with --force, which carries no details over\.$/,
  ],
  [
    "its file is gone",
    (registry) => rmSync(currentPath(registry)),
    /^The current snapshot \w+ is missing/,
  ],
  [
    "the file that names it holds something else",
    (registry) => writeFileSync(namePath(registry), "\0\xff"),
    /^No snapshot is marked as the current one/,
  ],
  [
    "the file that names it is gone",
    (registry) => rmSync(namePath(registry)),
    /^No snapshot is marked as the current one/,
  ],
];

describe("the base of an import", () => {
  for (const [what, act, says] of DAMAGE) {
    it(`is refused, and nothing is published, when ${what}`, async () => {
      using registry = await threeSnapshots();
      act(registry);
      const before = registry.store.ids();
      for (const [name, force] of [
        [NEXT_WEEK, false],
        [NEXT_WEEK, true],
        [FULL, false],
      ] as const) {
        await assert.rejects(registry.import(name, people(60), { force }), {
          name: "SnapshotFormatError",
          message: says,
        });
      }
      assert.deepEqual(registry.store.ids(), before);
    });

    it(`gives way to a forced full file when ${what}`, async () => {
      using registry = await threeSnapshots();
      act(registry);
      const { status } = await registry.import(FULL, people(40), {
        force: true,
      });
      assert.equal(status, "imported");
      assert.deepEqual(registry.faults(), []);
      assert.equal(registry.snapshot().count, 40);
    });
  }

  it("is the only snapshot if the first import was stopped just before making it current", async () => {
    using registry = new SmallRegistry();
    await registry.import(FULL, people(50));
    rmSync(namePath(registry));
    const { status } = await registry.import(FULL, people(50));
    assert.equal(status, "unchanged");
    assert.equal(registry.snapshot().count, 50);
  });

  it("is restored by a rollback if no snapshot is current", async () => {
    using registry = await threeSnapshots();
    const newest = registry.store.currentId();
    writeFileSync(namePath(registry), "");
    assert.equal(registry.store.previousId(), newest);
  });
});

async function threeSnapshots(): Promise<SmallRegistry> {
  const registry = new SmallRegistry();
  await registry.import(FULL, people(50));
  await registry.import(FULL, people(51));
  await registry.import(WEEK, people(52));
  return registry;
}

function currentPath({ store }: SmallRegistry): string {
  return store.pathOf(store.currentId() ?? "none");
}

function namePath({ store }: SmallRegistry): string {
  return join(store.dataDir, "snapshots", "current");
}

function overwrite(path: string, at: number, byte: number): void {
  const bytes = readFileSync(path);
  bytes[at] = byte;
  writeFileSync(path, bytes);
}

function flipName(registry: SmallRegistry): void {
  const path = currentPath(registry);
  const bytes = readFileSync(path);
  const shared = new SharedArrayBuffer(statSync(path).size);
  new Uint8Array(shared).set(bytes);
  const section = new MemorySections(shared).entries.find(
    ({ name }) => name === "last.bytes",
  );
  assert.ok(section !== undefined);
  bytes[section.offset]! ^= 1;
  writeFileSync(path, bytes);
}
