import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { withPath } from "../registry/files/registry-file-error.ts";
import {
  DETAILS_SECTIONS,
  ENTRIES_SECTIONS,
  EXTENDED_SECTIONS,
  SECTIONS,
} from "./container/descriptors.ts";
import { allSections, type SectionTree } from "./container/section.ts";
import { DiskSections } from "./container/disk-sections.ts";
import {
  PROVIDERS_FILE,
  type SectionEntry,
  type SectionFileType,
} from "./container/section-file.ts";
import { openExtendedFile } from "./container/shared-file.ts";
import { DETAILS_FILE, ENTRIES_FILE } from "./details/details-file.ts";
import { DetailsReader } from "./details/details-reader.ts";

/** A file of sections, or one inside a section. */
export interface InspectedFile {
  /** Its name in the snapshot's folder; for one inside a section, with what it is. */
  readonly name: string;
  readonly bytes: number;
  /** In the order of the file. */
  readonly sections: readonly InspectedSection[];
}

export interface InspectedSection {
  readonly name: string;
  readonly bytes: number;
  readonly elements: number;
  /** 1, 2, 4 or 8. */
  readonly elementBytes: number;
  /** From its descriptor; null for a section that this program does not know. */
  readonly purpose: string | null;
}

/**
 * Lists the sections of a snapshot, of its extended index, and of its details files, if any. Reads only headers. Throws
 * SnapshotFormatError if a file is damaged, and file system errors.
 */
export function inspectSnapshot(
  snapshotPath: string,
  detailsPath: string,
): InspectedFile[] {
  return [
    ...withPath(snapshotPath, () => inspectProviders(snapshotPath)),
    ...(existsSync(detailsPath)
      ? withPath(detailsPath, () => inspectDetails(detailsPath))
      : []),
  ];
}

function inspectProviders(path: string): InspectedFile[] {
  using extended = openExtendedFile(path);
  const files = [inspectFile(path, PROVIDERS_FILE, SECTIONS)];
  if (extended === null) return files;
  const name = basename(extended.path);
  const own = extended.path === path ? `${name}: extended index` : name;
  return [...files, inspected(own, extended.entries, EXTENDED_SECTIONS)];
}

function inspectDetails(path: string): InspectedFile[] {
  using reader = new DetailsReader(path);
  return [
    inspectFile(path, DETAILS_FILE, DETAILS_SECTIONS),
    ...reader.metadata.files.map(({ name }) =>
      inspectFile(join(dirname(path), name), ENTRIES_FILE, ENTRIES_SECTIONS),
    ),
  ];
}

function inspectFile(
  path: string,
  type: SectionFileType,
  tree: SectionTree,
): InspectedFile {
  using file = new DiskSections(path, type);
  return inspected(basename(path), file.entries, tree);
}

function inspected(
  name: string,
  entries: readonly SectionEntry[],
  tree: SectionTree,
): InspectedFile {
  const purposes = new Map(
    allSections(tree).map((section) => [section.name, section.purpose]),
  );
  return {
    name,
    bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
    sections: entries.map((entry) => ({
      name: entry.name,
      bytes: entry.bytes,
      elements: entry.bytes / entry.elementBytes,
      elementBytes: entry.elementBytes,
      purpose: purposes.get(entry.name) ?? null,
    })),
  };
}
