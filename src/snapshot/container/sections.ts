import type {
  ArraysOf,
  Section,
  SectionArray,
  SectionGroup,
} from "./descriptors.ts";

/**
 * The sections of a file, in memory or on the disk. Each member throws SnapshotFormatError where there is no such section, or
 * one of another type.
 */
export interface Sections {
  has(section: Section): boolean;
  /** All elements: a view of them in memory, a copy of those on the disk. */
  get<A extends SectionArray>(section: Section<A>): A;
}

/** The sections of a group, by the group's keys. */
export function openGroup<G extends SectionGroup>(
  sections: Sections,
  group: G,
): ArraysOf<G>;
export function openGroup(
  sections: Sections,
  group: SectionGroup,
): Record<string, SectionArray> {
  return Object.fromEntries(
    Object.entries(group).map(([key, section]) => [key, sections.get(section)]),
  );
}
