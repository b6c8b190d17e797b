/** From here on, a position's number is an NPI: the list with details goes by NPI. A set has fewer changes. */
export const FIRST_NPI = 1_000_000_000;

/**
 * A position in the list of changes that leads to a snapshot: after the change with a number, after all changes up to
 * an NPI, or after all of them.
 */
export interface Position {
  readonly snapshot: string;
  readonly behind: number | "all";
}

const TEXT = /^(\d{8}T\d{9}Z)\.(all|[1-9]\d{0,9})$/;

/** Writes a position as an opaque text for clients. */
export function writeCursor({ behind, snapshot }: Position): string {
  return btoa(`${snapshot}.${behind}`)
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Reads a cursor; null if `writeCursor` did not write it. */
export function readCursor(cursor: string): Position | null {
  const [, snapshot, behind] = TEXT.exec(decode(cursor)) ?? [];
  if (snapshot === undefined || behind === undefined) return null;
  const position: Position = {
    snapshot,
    behind: behind === "all" ? behind : Number(behind),
  };
  return writeCursor(position) === cursor ? position : null;
}

/** Decodes a cursor; '' if it cannot be decoded. */
function decode(cursor: string): string {
  try {
    return atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}
