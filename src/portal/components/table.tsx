import type { ReactNode } from "react";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are aligned right. */
  readonly isNumber?: boolean;
}

/** Shows a table with a caption for screen readers. On a narrow window it scrolls in its own frame. */
export function Table<Row>({
  caption,
  columns,
  keyOf,
  rows,
}: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Identifies a row; by its position if missing. */
  readonly keyOf?: (row: Row) => string | number;
}) {
  return (
    <div
      className="table-frame"
      tabIndex={0}
      role="region"
      aria-label={caption}
    >
      <table>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ isNumber = false, title }) => (
              <th
                key={title}
                scope="col"
                className={isNumber ? "number" : undefined}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf?.(row) ?? index}>
              {columns.map(({ cell, isNumber = false, title }) => (
                <td key={title} className={isNumber ? "number" : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
