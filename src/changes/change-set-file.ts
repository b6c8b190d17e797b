import { createReadStream } from "node:fs";
import {
  CHANGE_KINDS,
  countAll,
  isOnlyDetails,
  noChanges,
  type Change,
  type ChangeCounts,
  type ChangedDetails,
  type ChangeKind,
  type ChangeSet,
} from "./change.ts";

/**
 * A set of changes as a file, to copy it to other data folders: a line of JSON for the set, then one for each change,
 * `[npi, kind, fields]`, or with changed details `[npi, kind, fields, details]`. A set always gives the same bytes.
 */

/** A set without what each database chooses. */
export type CopiedChangeSet = Omit<ChangeSet, "number" | "details">;

/** Bytes that are collected before they are handed out. */
const CHUNK_BYTES = 1 << 18;
/** A change of every field of a record has less than a tenth. */
const MAX_LINE_BYTES = 1 << 20;

const SNAPSHOT_ID = /^\d{8}T\d{9}Z$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** A file is not a set of changes. The message is the rest of a sentence that starts with its name. */
export class ChangeSetFileError extends Error {
  override readonly name = "ChangeSetFileError";
}

/** Yields the bytes of a set. */
export function* encodeChangeSet(
  {
    appliedOn,
    base,
    counts,
    dataDate,
    file,
    isListed,
    snapshot,
  }: CopiedChangeSet,
  changes: Iterable<Change>,
): Generator<Uint8Array> {
  const set = { snapshot, base, file, dataDate, appliedOn, isListed, counts };
  let text = `${JSON.stringify(set)}\n`;
  for (const { details, fields, kind, npi } of changes) {
    const further = details === undefined ? [] : [details];
    text += `${JSON.stringify([npi, kind, fields, ...further])}\n`;
    if (text.length < CHUNK_BYTES) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(text);
}

/**
 * Reads a file: the set first, then `onChange` for each change. Throws ChangeSetFileError, also if changes are missing,
 * and file system errors.
 */
export async function readChangeSet(
  path: string,
  onSet: (set: CopiedChangeSet) => void,
  onChange: (change: Change) => Promise<void> | void,
): Promise<void> {
  let set: CopiedChangeSet | null = null;
  let changes = 0;
  for await (const line of linesOf(path)) {
    if (set === null) onSet((set = setOf(parsed(line))));
    else {
      const change = changeOf(parsed(line));
      if (!isOnlyDetails(change)) changes++;
      await onChange(change);
    }
  }
  if (set === null || changes !== (set.isListed ? countAll(set.counts) : 0))
    throw new ChangeSetFileError("does not have the changes that it counts");
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new ChangeSetFileError("has a line that is not JSON");
  }
}

function setOf(value: unknown): CopiedChangeSet {
  const { appliedOn, base, counts, dataDate, file, isListed, snapshot } =
    membersOf(value);
  if (
    typeof snapshot === "string" &&
    SNAPSHOT_ID.test(snapshot) &&
    (base === null || (typeof base === "string" && SNAPSHOT_ID.test(base))) &&
    typeof file === "string" &&
    (dataDate === null ||
      (typeof dataDate === "string" && DAY.test(dataDate))) &&
    typeof appliedOn === "string" &&
    DAY.test(appliedOn) &&
    typeof isListed === "boolean"
  )
    return {
      snapshot,
      base,
      file,
      dataDate,
      appliedOn,
      isListed,
      counts: countsOf(membersOf(counts)),
    };
  throw new ChangeSetFileError("does not start with a set of changes");
}

function countsOf(value: Readonly<Record<string, unknown>>): ChangeCounts {
  const counts = noChanges();
  for (const kind of CHANGE_KINDS) {
    const count = value[kind];
    if (typeof count !== "number" || !Number.isSafeInteger(count) || count < 0)
      throw new ChangeSetFileError("has a count that is not a number");
    counts[kind] = count;
  }
  return counts;
}

function changeOf(value: unknown): Change {
  const [npi, kind, fields, details]: readonly unknown[] = Array.isArray(value)
    ? value
    : [];
  if (typeof npi === "string" && /^\d{10}$/.test(npi) && isKind(kind)) {
    const entries = Object.entries(membersOf(fields));
    return {
      npi,
      kind,
      fields: Object.fromEntries(entries.map(fieldOf)),
      ...(details === undefined ? {} : { details: detailsOf(details) }),
    };
  }
  throw new ChangeSetFileError("has a line that is not a change");
}

function fieldOf([name, value]: [string, unknown]): [
  string,
  [string | null, string | null],
] {
  const [before, after]: readonly unknown[] = Array.isArray(value) ? value : [];
  if (isText(before) && isText(after)) return [name, [before, after]];
  throw new ChangeSetFileError("has a field without its two values");
}

function detailsOf(value: unknown): ChangedDetails {
  return Object.fromEntries(
    Object.entries(membersOf(value)).map(([path, values]) => {
      const [before = null, after = null, ...rest]: readonly unknown[] =
        Array.isArray(values) ? values : [null, null, null];
      if (rest.length === 0) return [path, [before, after]];
      throw new ChangeSetFileError("has a detail without its two values");
    }),
  );
}

function isText(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

function isKind(value: unknown): value is ChangeKind {
  return CHANGE_KINDS.some((kind) => kind === value);
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return { ...value };
  throw new ChangeSetFileError("has a line that is not what it should be");
}

/** Yields the lines of a file, of which each ends with a line feed. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  const stream: AsyncIterable<Buffer> = createReadStream(path);
  for await (const chunk of stream) {
    const bytes = Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      yield bytes.toString("utf8", from, end);
      from = end + 1;
    }
    rest = bytes.subarray(from);
    if (rest.length > MAX_LINE_BYTES)
      throw new ChangeSetFileError("has a line that is too long");
  }
  if (rest.length > 0) throw new ChangeSetFileError("ends within a line");
}
