import { DETAIL_PARTS, type DetailPart } from "../contract/detail-parts.ts";
import { SECTIONS } from "../contract/provider-fields.ts";
import { maskText } from "../registry/files/social-security-numbers.ts";
import {
  detailMembers,
  NO_DETAILS,
  writeDetails,
} from "../search/render/details-json.ts";
import { JsonText } from "../search/render/json-text.ts";
import { DetailsView } from "../snapshot/details/details-view.ts";
import type { ChangedDetails } from "./change.ts";

/** The maximum bytes of JSON of one provider's changed details. What exceeds them is listed without its values. */
const MAX_BYTES = 1 << 16;

type Members = Readonly<Record<string, unknown>>;

/** Finds the changed details of one provider after the other, of the parts that both snapshots have. */
export class DetailComparer {
  readonly #parts: readonly DetailPart[];
  readonly #before = new DetailsView();
  readonly #after = new DetailsView();
  readonly #out = new JsonText();

  constructor(parts: readonly DetailPart[]) {
    this.#parts = parts;
  }

  /**
   * Compares two blobs of one provider (null: no details), and returns the details that differ; null if there are none.
   * Decodes blobs only if their bytes differ.
   */
  changed(
    before: Uint8Array | null,
    after: Uint8Array | null,
  ): ChangedDetails | null {
    if (this.#parts.length === 0 || isSameBlob(before, after)) return null;
    if (before !== null) this.#before.open(before, 0, before.length);
    if (after !== null) this.#after.open(after, 0, after.length);
    const parts =
      before === null || after === null
        ? this.#parts
        : this.#parts.filter((part) => this.#differs(part));
    const was = this.#membersOf(before && this.#before, parts);
    const is = this.#membersOf(after && this.#after, parts);
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

  /** True if the bytes of a part differ. In most changes, those of most parts are the same. */
  #differs(part: DetailPart): boolean {
    return Object.values(SECTIONS).some(
      ({ number, part: of }) =>
        of === part &&
        !isSameBlob(this.#before.section(number), this.#after.section(number)),
    );
  }

  /** Returns details as answers show them, without taxonomy names, which are not the registry's. */
  #membersOf(
    details: DetailsView | null,
    parts: readonly DetailPart[],
  ): Members {
    const out = this.#out;
    out.begin();
    writeDetails(details ?? NO_DETAILS, parts, out, () => null);
    return detailMembers(out.view());
  }
}

export function isSameBlob(
  one: Uint8Array | null,
  other: Uint8Array | null,
): boolean {
  if (one === null || other === null) return one === other;
  return one === other || Buffer.compare(one, other) === 0;
}

/** Removes the old values of details that are gone. */
export function withoutGone(details: ChangedDetails): ChangedDetails {
  return Object.fromEntries(
    Object.entries(details).map(([path, [before, after]]) => [
      path,
      isNothing(after) ? [null, null] : [before, after],
    ]),
  );
}

function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** Returns the parts that both of two snapshots have. */
export function commonParts(
  before: readonly DetailPart[] = [],
  after: readonly DetailPart[] = [],
): DetailPart[] {
  return DETAIL_PARTS.filter(
    (part) => before.includes(part) && after.includes(part),
  );
}

/** Yields what differs. Masks Social Security numbers that an earlier version imported. */
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
      const values = withoutCommon(was.map(masked), is.map(masked));
      if (values.some(({ length }) => length > 0)) yield [path, values];
    } else if (isPart(was) || isPart(is))
      yield* differences(
        `${path}.`,
        isPart(was) ? was : null,
        isPart(is) ? is : null,
      );
    else if (was !== is) {
      const values = [masked(was), masked(is)] as const;
      if (values[0] !== values[1]) yield [path, values];
    }
  }
}

function masked(value: unknown): unknown {
  if (typeof value === "string") return maskText(value);
  if (!isPart(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, masked(part)]),
  );
}

/** Returns the entries of each of two lists that the other one lacks, each as many times as it lacks it. */
function withoutCommon(
  before: readonly unknown[],
  after: readonly unknown[],
): [unknown[], unknown[]] {
  const was = before.map((entry) => JSON.stringify(entry));
  const is = after.map((entry) => JSON.stringify(entry));
  return [lacking(before, was, is), lacking(after, is, was)];
}

function lacking(
  list: readonly unknown[],
  texts: readonly string[],
  others: readonly string[],
): unknown[] {
  const left = new Map<string, number>();
  for (const text of others) left.set(text, (left.get(text) ?? 0) + 1);
  return list.filter((_, index) => {
    const count = left.get(texts[index]!) ?? 0;
    left.set(texts[index]!, count - 1);
    return count <= 0;
  });
}

function isPart(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
