/** The description of a file's section. The tables of all sections are in `descriptors.ts`. */

/** The typed arrays that a section can contain. */
export type SectionArray =
  Uint8Array | Uint16Array | Uint32Array | Float64Array;

interface Element<A extends SectionArray> {
  /** The name of the type in FORMAT.md. */
  readonly type: "f64" | "u16" | "u32" | "u8";
  readonly bytes: number;
  /** Makes an array of `length` elements from byte `at` of a buffer. */
  readonly view: (buffer: ArrayBufferLike, at: number, length: number) => A;
}

/** The things that a section can have one element for. */
export type Item =
  | "document"
  | "location"
  | "unplaced document"
  | "name"
  | "NPI"
  | "frequent n-gram"
  | "place"
  | "area"
  | "secondary address"
  | "official";

export interface Section<A extends SectionArray = SectionArray> {
  readonly name: string;
  /** One sentence, without the section's name. */
  readonly purpose: string;
  readonly element: Element<A>;
  /** All sections of a file with the same `per` have the same length; null if the length is independent. */
  readonly per: Item | null;
}

export type SectionGroup = Readonly<Record<string, Section>>;

/** The arrays of a group's sections, by the group's keys. */
export type ArraysOf<G extends SectionGroup> = {
  [K in keyof G]: G[K] extends Section<infer A> ? A : never;
};

type SectionType<A extends SectionArray> = (
  name: string,
  purpose: string,
  per?: Item,
) => Section<A>;

export const u8 = sectionType(
  "u8",
  1,
  (...at): Uint8Array => new Uint8Array(...at),
);
export const u16 = sectionType(
  "u16",
  2,
  (...at): Uint16Array => new Uint16Array(...at),
);
export const u32 = sectionType(
  "u32",
  4,
  (...at): Uint32Array => new Uint32Array(...at),
);
export const f64 = sectionType(
  "f64",
  8,
  (...at): Float64Array => new Float64Array(...at),
);

export interface SectionTree {
  readonly [key: string]: Section | SectionTree;
}

/** Lists all sections of a group, or of nested groups. */
export function allSections(tree: SectionTree): Section[] {
  return Object.values(tree).flatMap((each) =>
    isSection(each) ? [each] : allSections(each),
  );
}

function isSection(each: Section | SectionTree): each is Section {
  return typeof each.name === "string";
}

function sectionType<A extends SectionArray>(
  type: Element<A>["type"],
  bytes: number,
  view: Element<A>["view"],
): SectionType<A> {
  const element = { type, bytes, view };
  return (name, purpose, per) => ({
    name,
    purpose,
    element,
    per: per ?? null,
  });
}
