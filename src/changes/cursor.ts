/** A place in the list of changes: behind the change with a number in the set that leads to a snapshot. */
export interface Position {
  readonly snapshot: string;
  readonly number: number;
}

const TEXT = /^(\d{8}T\d{9}Z)\.(\d{1,9})$/;

/** A position as clients get it: a word without meaning to them. */
export function writeCursor({ number, snapshot }: Position): string {
  return Buffer.from(`${snapshot}.${number}`).toString("base64url");
}

/** Null for what `writeCursor` never wrote. */
export function readCursor(cursor: string): Position | null {
  const [, snapshot, number] =
    TEXT.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  if (snapshot === undefined || number === undefined) return null;
  const position = { snapshot, number: Number(number) };
  return writeCursor(position) === cursor ? position : null;
}
