/** Workbooks part by part, as no library would write them. */

import { zipBytes, type ZipEntry } from "./zip-bytes.ts";

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** A text, or its pieces where it is too long to hold. */
type Content = string | Generator<Uint8Array>;

export interface WorkbookParts {
  /** The content of `<sheetData>`. */
  rows: Content;
  strings?: Content;
  more?: readonly ZipEntry[];
}

/** The bytes of a workbook with the sheet of the registry's report. */
export function rawWorkbook({
  more = [],
  rows,
  strings,
}: WorkbookParts): Promise<Buffer> {
  return zipBytes([
    {
      name: "xl/workbook.xml",
      content: `${HEAD}<workbook xmlns:r="r"><sheets><sheet name="DeactivatedNPIs" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: `${HEAD}<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>`,
    },
    {
      name: "xl/worksheets/sheet1.xml",
      content: wrapped("worksheet><sheetData", rows),
    },
    ...(strings === undefined
      ? []
      : [{ name: "xl/sharedStrings.xml", content: wrapped("sst", strings) }]),
    ...more,
  ]);
}

function* wrapped(elements: string, content: Content): Generator<Uint8Array> {
  const ends = elements.split("><").reverse();
  yield Buffer.from(`${HEAD}<${elements}>`);
  if (typeof content === "string") yield Buffer.from(content);
  else yield* content;
  yield Buffer.from(ends.map((name) => `</${name}>`).join(""));
}
