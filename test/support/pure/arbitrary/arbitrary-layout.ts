import * as fc from "fast-check";
import { type CsvLayout, officialColumns } from "../registry/registry-csv.ts";

/** Every way to write a file that an import has to read: V1 and V2, columns moved and added, quotes, newlines, BOM. */
export function arbitraryLayout(): fc.Arbitrary<CsvLayout> {
  return fc.record({
    columns: fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          officialColumns("V1"),
          officialColumns("V2"),
        ),
      },
      {
        weight: 1,
        arbitrary: reordered([
          ...officialColumns("V2"),
          "A Column of the Future",
        ]),
      },
    ),
    quotes: fc.constantFrom("always", "when needed"),
    newline: fc.constantFrom("\n", "\r\n"),
    bom: fc.boolean(),
    lastNewline: fc.boolean(),
  });
}

function reordered(columns: string[]): fc.Arbitrary<string[]> {
  return fc.shuffledSubarray(columns, {
    minLength: columns.length,
    maxLength: columns.length,
  });
}
