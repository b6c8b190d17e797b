import { DETAIL_PARTS, type DetailPart } from "../contract/detail-parts.ts";
import { maskText } from "../registry/files/social-security-numbers.ts";
import { detailMembers, NO_DETAILS } from "../search/render/details-json.ts";
import type { DetailsReader } from "../snapshot/details/details-reader.ts";
import { DetailsView } from "../snapshot/details/details-view.ts";
import type { ChangedDetails } from "./change.ts";

/** The maximum bytes of JSON of one provider's changed details. What exceeds them is listed without its values. */
const MAX_BYTES = 1 << 16;

type Members = Readonly<Record<string, unknown>>;

/**
 * The details in which two blobs of one provider differ (null: no details), of the parts that both snapshots have; null
 * if there are none. Blobs are decoded only if their bytes differ.
 */
export function changedDetails(
  before: Uint8Array | null,
  after: Uint8Array | null,
  parts: readonly DetailPart[],
): ChangedDetails | null {
  if (parts.length === 0 || isSame(before, after)) return null;
  const was = membersOf(before, parts);
  const is = membersOf(after, parts);
  const changed: Record<string, readonly [unknown, unknown]> = {};
  let bytes = 0;
  for (const [path, values] of differences("", was, is)) {
    const length = Buffer.byteLength(JSON.stringify(values));
    const fits = bytes + length <= MAX_BYTES;
    changed[path] = fits ? values : [null, null];
    if (fits) bytes += length;
  }
  return Object.keys(changed).length === 0 ? null : changed;
}

/**
 * The NPIs with details in both files whose details differ in any part, or in only one of them, in any order. Null if the
 * files share all entries, or the differences are more than `most`.
 */
export function differingDetails(
  before: DetailsReader,
  after: DetailsReader,
  most: number,
): Uint32Array | null {
  if (entryFiles(before) === entryFiles(after)) return null;
  const sums = new Map<number, number>();
  before.forEachChecksum((npi, length, checksum) =>
    sums.set(npi, checksum * (1 << 20) + (length % (1 << 20))),
  );
  const differing: number[] = [];
  after.forEachChecksum((npi, length, checksum) => {
    const sum = checksum * (1 << 20) + (length % (1 << 20));
    if (sums.get(npi) !== sum && differing.length <= most) differing.push(npi);
    sums.delete(npi);
  });
  for (const npi of sums.keys())
    if (differing.length <= most) differing.push(npi);
  return differing.length > most ? null : Uint32Array.from(differing);
}

/** The parts that both of two snapshots have. */
export function commonParts(
  before: readonly DetailPart[] = [],
  after: readonly DetailPart[] = [],
): DetailPart[] {
  return DETAIL_PARTS.filter(
    (part) => before.includes(part) && after.includes(part),
  );
}

function entryFiles({ metadata }: DetailsReader): string {
  return JSON.stringify(metadata.files.map(({ name }) => name));
}

function isSame(one: Uint8Array | null, other: Uint8Array | null): boolean {
  if (one === null || other === null) return one === other;
  return Buffer.compare(one, other) === 0;
}

/** The details as answers show them, without taxonomy names, which are not the registry's. */
function membersOf(
  blob: Uint8Array | null,
  parts: readonly DetailPart[],
): Members {
  const view = new DetailsView();
  if (blob !== null) view.open(blob, 0, blob.length);
  const members = detailMembers(
    blob === null ? NO_DETAILS : view,
    parts,
    () => null,
  );
  return JSON.parse(JSON.stringify(members), (key, value: unknown) =>
    typeof value === "string" ? maskText(value) : value,
  );
}

function* differences(
  prefix: string,
  before: Members | null,
  after: Members | null,
): Generator<[string, readonly [unknown, unknown]]> {
  for (const member of Object.keys(after ?? before ?? {})) {
    const was = before?.[member] ?? null;
    const is = after?.[member] ?? null;
    const path = prefix + member;
    if (Array.isArray(was) && Array.isArray(is)) {
      const values = [lacking(was, is), lacking(is, was)] as const;
      if (values.some(({ length }) => length > 0)) yield [path, values];
    } else if (isPart(was) || isPart(is))
      yield* differences(
        `${path}.`,
        isPart(was) ? was : null,
        isPart(is) ? is : null,
      );
    else if (was !== is) yield [path, [was, is]];
  }
}

/** The entries of a list that another one lacks, each as many times as it lacks it. */
function lacking(list: readonly unknown[], other: readonly unknown[]) {
  const left = new Map<string, number>();
  for (const entry of other) {
    const text = JSON.stringify(entry);
    left.set(text, (left.get(text) ?? 0) + 1);
  }
  return list.filter((entry) => {
    const text = JSON.stringify(entry);
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}

function isPart(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
