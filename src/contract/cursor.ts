/** A place in the list of changes, in the set that leads to a snapshot: behind the change with a number, or its end. */
export interface Position {
  readonly snapshot: string;
  readonly behind: number | "all";
}

const TEXT = /^(\d{8}T\d{9}Z)\.(all|[1-9]\d{0,8})$/;

/** A position as clients get it: a word without meaning to them. */
export function writeCursor({ behind, snapshot }: Position): string {
  return btoa(`${snapshot}.${behind}`)
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Null for what `writeCursor` never wrote. */
export function readCursor(cursor: string): Position | null {
  const [, snapshot, behind] = TEXT.exec(decode(cursor)) ?? [];
  if (snapshot === undefined || behind === undefined) return null;
  const position: Position = {
    snapshot,
    behind: behind === "all" ? behind : Number(behind),
  };
  return writeCursor(position) === cursor ? position : null;
}

/** The text of a cursor, '' where it is none. */
function decode(cursor: string): string {
  try {
    return atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}
