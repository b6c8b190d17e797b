import type { CallToolResult } from "@modelcontextprotocol/server";

/** The most bytes of a result: text and structured content. Clients count both, and cut or refuse more. */
const MAX_RESULT_BYTES = 20_000;
/** The most characters of a cell. */
const MAX_CELL = 80;

/** The date of the data that a result comes from. */
export interface Status {
  /** Null if the data has no date, or if it is no longer the current data. */
  readonly data_date: string | null;
  readonly snapshot: string;
}

export type Cell = string | number | null | undefined;

/** A row of a result. */
export interface Row {
  /** The cells in the table of the text. */
  readonly cells: readonly Cell[];
  readonly full: object;
  /** The same in short, where all rows in full are too long; default: the same. */
  readonly short?: object;
}

/** The call that continues a result. */
export interface NextCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The content of a result. */
export interface Shown {
  /** Sentences above the table. */
  readonly said: readonly string[];
  /** Members of the structured content next to `results`. */
  readonly facts?: object;
  readonly columns?: readonly string[];
  readonly rows?: readonly Row[];
  /** Returns the call that shows what comes after the first `count` rows; null if nothing does. */
  readonly next?: (count: number) => NextCall | null;
  /** True if a result may end after this number of rows, if not all fit. */
  readonly mayEndAt?: (count: number) => boolean;
  /** The address where a program gets all rows. */
  readonly link?: { readonly name: string; readonly url: string } | null;
}

/**
 * Makes the result of a tool: as many rows as fit, first in full, then in short. If not one fits, it is refused. Where
 * the client knows no links, the address is text.
 */
export function resultOf(
  shown: Shown,
  status: Status | null,
  hasLinks: boolean,
): CallToolResult {
  const { mayEndAt = () => true, rows = [] } = shown;
  const all = rows.length;
  const full = written(shown, status, all, "full", hasLinks);
  if (full.bytes <= MAX_RESULT_BYTES) return full.result;
  for (let count = all; count > 0; count--) {
    if (count < all && !mayEndAt(count)) continue;
    const short = written(shown, status, count, "short", hasLinks);
    if (short.bytes <= MAX_RESULT_BYTES) return short.result;
  }
  // The call for what comes after no row would be the same again.
  return refusedResult("The result is too long. Ask for less at once.");
}

/** Makes the result of a tool whose request was refused. */
export function refusedResult(sentences: string): CallToolResult {
  return { content: [{ type: "text", text: sentences }], isError: true };
}

function written(
  { columns = [], facts = {}, link = null, next, rows, said }: Shown,
  status: Status | null,
  count: number,
  form: "full" | "short",
  hasLinks: boolean,
): { readonly bytes: number; readonly result: CallToolResult } {
  const kept = rows?.slice(0, count) ?? [];
  const isCut = count < (rows?.length ?? 0);
  const isShort = form === "short" && kept.some(({ short }) => short);
  const nextCall = next?.(count) ?? null;
  const structured = withoutNulls({
    ...facts,
    ...status,
    ...(rows === undefined
      ? {}
      : {
          results: kept.map(({ full, short = full }) =>
            form === "full" ? full : short,
          ),
        }),
    truncated: isCut || isShort,
    next: nextCall,
    link: link?.url,
  });
  const lines = [
    ...said,
    ...(isShort
      ? ["Records are shortened to fit. Ask for fewer to see them in full."]
      : []),
    ...(isCut ? [`Only the first ${count} of ${rows?.length} rows fit.`] : []),
    ...(status === null ? [] : [sourceLine(status)]),
    ...(kept.length === 0
      ? []
      : ["", tableLine(columns), ...kept.map(({ cells }) => tableLine(cells))]),
    ...(nextCall === null
      ? []
      : ["", `More: ${nextCall.tool} ${JSON.stringify(nextCall.arguments)}`]),
  ];
  const text = lines.join("\n");
  const content: CallToolResult["content"] = [{ type: "text", text }];
  if (link !== null && nextCall !== null)
    content.push(
      hasLinks
        ? { type: "resource_link", uri: link.url, name: link.name }
        : { type: "text", text: `${link.name}: ${link.url}` },
    );
  return {
    bytes: Buffer.byteLength(JSON.stringify([content, structured])),
    result: { content, structuredContent: structured },
  };
}

function sourceLine({ data_date, snapshot }: Status): string {
  return `Data ${data_date === null ? "without a date" : `through ${data_date}`}, snapshot ${snapshot}.`;
}

/** Writes a row of the table. No value can end its cell or its line. */
function tableLine(cells: readonly Cell[]): string {
  return cells.map(cellOf).join(" | ").trimEnd();
}

function cellOf(value: Cell): string {
  const text = String(value ?? "")
    // Line breaks, and what changes the direction of text or can't be seen.
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll("|", "¦")
    .trim();
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text;
}

/** Copies a value without the members that are null. */
export function withoutNulls(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) =>
      each === null || each === undefined ? [] : [[name, cleaned(each)]],
    ),
  );
}

function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned);
  return typeof value === "object" && value !== null
    ? withoutNulls(value)
    : value;
}
