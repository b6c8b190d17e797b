import type { Context } from "../command.ts";
import { formatTable } from "./format.ts";

/** The texts of a list, by the heading of their column. */
export type Columns<Entry> = Readonly<Record<string, (entry: Entry) => string>>;

/** The texts of a record by their label: one, several in separate lines, or null for no line. */
export type Labels<Entry> = Readonly<
  Record<string, (entry: Entry) => string | readonly string[] | null>
>;

/** Prints JSON, or else lines. */
export function show(
  context: Context,
  json: boolean,
  facts: unknown,
  lines: () => readonly string[],
): void {
  context.out(json ? JSON.stringify(facts, null, 2) : lines().join("\n"));
}

/** Prints a list as JSON, or else as a table, or a sentence if it is empty. */
export function showList<Entry>(
  context: Context,
  json: boolean,
  entries: readonly Entry[],
  {
    columns,
    empty,
    facts,
  }: {
    /** Makes JSON of an entry. */
    readonly facts: (entry: Entry) => object;
    readonly columns: Columns<Entry>;
    /** The sentence for an empty list. */
    readonly empty: string;
  },
): void {
  show(context, json, entries.map(facts), () =>
    entries.length === 0 ? [empty] : tableOf(entries, columns),
  );
}

/** Lays out entries as a table with a heading. */
export function tableOf<Entry>(
  entries: readonly Entry[],
  columns: Columns<Entry>,
): string[] {
  const texts = Object.values(columns);
  return formatTable(
    Object.keys(columns),
    entries.map((entry) => texts.map((text) => text(entry))),
  );
}

/** Lays out a record as lines, with their texts below each other. `end` follows each label. */
export function linesOf<Entry>(
  entry: Entry,
  labels: Labels<Entry>,
  end = ": ",
): string[] {
  const width = end.length + Math.max(...Object.keys(labels).map(lengthOf));
  return Object.entries(labels).flatMap(([label, text]) =>
    [text(entry) ?? []]
      .flat()
      .map(
        (line, index) => (index === 0 ? label + end : "").padEnd(width) + line,
      ),
  );
}

function lengthOf(text: string): number {
  return text.length;
}
