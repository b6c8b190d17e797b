/** A Markdown table, its columns aligned as the formatter wants them: the first to the left, the rest to the right. */
export function markdownTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = heading.map((_, column) =>
    Math.max(3, ...[heading, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const padded = (row: readonly string[]): string =>
    line(
      widths.map((width, column) => {
        const cell = row[column] ?? "";
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      }),
    );
  const rule = widths.map((width, column) =>
    column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [padded(heading), line(rule), ...rows.map(padded)].join("\n");
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
