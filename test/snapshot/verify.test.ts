import assert from "node:assert/strict";
import { cpSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { checkSnapshot } from "../../src/cli/commands/snapshots.ts";
import {
  EXTENDED_SECTIONS,
  SECTIONS,
} from "../../src/snapshot/container/descriptors.ts";
import { DiskSections } from "../../src/snapshot/container/disk-sections.ts";
import {
  allSections,
  type Section,
  type SectionArray,
  type SectionTree,
} from "../../src/snapshot/container/section.ts";
import {
  EXTENDED_FILE,
  PROVIDERS_FILE,
} from "../../src/snapshot/container/section-file.ts";
import { SectionFileWriter } from "../../src/snapshot/container/section-writer.ts";
import { extendedPath } from "../../src/snapshot/container/shared-file.ts";
import { SnapshotStore } from "../../src/store/store.ts";
import { runProgram } from "../support/program/program.ts";
import { temporaryFolder } from "../support/pure/temporary-folder.ts";

/** The sections that nothing is derived for (FORMAT.md, "Primary and derived sections"). */
const PRIMARY =
  /^(npi|kind|taxonomy|name|first|middle|metadata|taxonomy\.(names|table)|(taxonomy|last|first|organization|city)\.(bytes|offsets)|(place|unplaced|record|centroid)\..*)$/;

const folder = temporaryFolder();
const store = new SnapshotStore(folder.path);
let id = "none";

before(async () => {
  const options = ["--providers", "200", "--data-dir", folder.path];
  const { code, err } = await runProgram(["demo", ...options]);
  assert.equal(code, 0, err);
  id = store.currentId() ?? "none";
  assert.deepEqual(checkSnapshot(store, id), { providers: 200, faults: [] });
});
after(() => folder[Symbol.dispose]());

describe("verify", () => {
  it("names a derived section with other bytes, whose checksum is right", () => {
    const derived = sectionsOf(SECTIONS).filter(
      ({ name }) => !PRIMARY.test(name),
    );
    assert.ok(derived.length > 40);
    for (const section of derived)
      assert.equal(
        faultsWith(section, flipped)[0],
        `Section "${section.name}" is not what the primary data gives.`,
      );
  });

  it("names a derived section that is missing", () => {
    assert.deepEqual(
      faultsWith(SECTIONS.nameOrder, () => null),
      ['Section "name.order" is not what the primary data gives.'],
    );
  });

  it("names a section of the extended index with other bytes, whose checksum is right", () => {
    const sections = sectionsOf(EXTENDED_SECTIONS).filter(
      (section) => section !== EXTENDED_SECTIONS.metadata,
    );
    assert.ok(sections.length > 40);
    for (const section of sections)
      assert.deepEqual(
        faultsWith(section, flipped, "extended"),
        [
          `Section "extended: ${section.name}" is not what the snapshot and its details give.`,
        ],
        section.name,
      );
  });

  it("finds primary data that agree with nothing, from which nothing is derived", () => {
    const { kind, middle, name, npis, places, recordBytes, taxonomy } =
      SECTIONS;
    const claims: [string, string[]][] = [
      [
        "columns have one element for each document, place or n-gram",
        faultsWith(kind, (column) => column.subarray(1)),
      ],
      [
        "each document has another NPI",
        faultsWith(npis.npi, (column) => {
          column[199] = column[0]!;
          return column;
        }),
      ],
      [
        "each document has a place or is unplaced",
        faultsWith(places.starts, (starts) => {
          starts[starts.length - 1] = 150;
          return starts;
        }),
      ],
      [
        "places are ordered by state, city and ZIP",
        faultsWith(places.city, swapped),
      ],
      [
        "taxonomies of documents are in their dictionary",
        faultsWith(taxonomy, set(7, 60_000)),
      ],
      [
        "names of documents are in their dictionaries",
        faultsWith(name, set(7, 60_000)),
      ],
      ["the middle initials match the records", faultsWith(middle, flipped)],
      [
        "records are contiguous",
        faultsWith(recordBytes, (bytes) => bytes.subarray(0, -1)),
      ],
    ];
    for (const [claim, faults] of claims)
      assert.ok(
        faults.includes(`Check failed: ${claim}.`),
        `${claim}: ${faults.join(" ")}`,
      );
  });
});

/** Those that the files have with at least one element. */
function sectionsOf(tree: SectionTree): Section[] {
  using file =
    tree === SECTIONS
      ? new DiskSections(store.pathOf(id))
      : new DiskSections(extendedPath(store.pathOf(id)), EXTENDED_FILE);
  return allSections(tree).filter(
    (section) => file.has(section) && file.get(section).length > 0,
  );
}

/** What verify says of a copy of the snapshot in which one section is changed, or missing. */
function faultsWith<A extends SectionArray>(
  changed: Section<A>,
  change: (array: A) => A | null,
  of: "extended" | "snapshot" = "snapshot",
): string[] {
  using copied = temporaryFolder();
  cpSync(folder.path, copied.path, { recursive: true });
  const copy = new SnapshotStore(copied.path);
  const isSnapshot = of === "snapshot";
  const pathIn = (each: SnapshotStore): string =>
    isSnapshot ? each.pathOf(id) : extendedPath(each.pathOf(id));
  const type = isSnapshot ? PROVIDERS_FILE : EXTENDED_FILE;
  using source = new DiskSections(pathIn(store), type);
  const path = join(dirname(pathIn(copy)), "changed");
  {
    using writer = new SectionFileWriter(path, type);
    for (const section of allSections(
      isSnapshot ? SECTIONS : EXTENDED_SECTIONS,
    )) {
      if (!source.has(section)) continue;
      const array =
        section.name === changed.name
          ? change(source.get(changed))
          : source.get(section);
      if (array !== null) writer.write(section, array);
    }
    writer.finish();
  }
  renameSync(path, pathIn(copy));
  return checkSnapshot(copy, id).faults;
}

/** The same array with another bit in its middle. */
function flipped<A extends SectionArray>(array: A): A {
  const bytes = new Uint8Array(array.buffer);
  bytes[bytes.length >> 1]! ^= 1;
  return array;
}

/** Makes the element at an index another one. */
function set<A extends SectionArray>(at: number, value: number) {
  return (array: A): A => {
    array[at] = value;
    return array;
  };
}

/** The same array with its first two elements swapped. */
function swapped(array: Uint32Array): Uint32Array {
  [array[0], array[1]] = [array[1]!, array[0]!];
  return array;
}
