/**
 * Splits a small CSV text into records of fields (RFC 4180): quoted fields may contain commas, doubled quotes and line
 * ends; records end with LF or CRLF. An unclosed quote takes the rest of the text. Blank lines give a record of one
 * empty field.
 */
export function csvRecords(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length) {
    const [field, end] =
      text[at] === '"' ? quotedField(text, at + 1) : bareField(text, at);
    record.push(field);
    at = end;
    if (text[at] === ",") {
      at++;
      // After a comma at the end of the text comes one more, empty, field.
      if (at === text.length) record.push("");
    } else {
      if (text[at] === "\r") at++;
      if (text[at] === "\n") at++;
      records.push(record);
      record = [];
    }
  }
  if (record.length > 0) records.push(record);
  return records;
}

/** The records after the header by its names; a missing field is ''. */
export function csvRows(text: string): Record<string, string>[] {
  const [header = [], ...records] = csvRecords(text);
  return records.map((record) =>
    Object.fromEntries(header.map((name, at) => [name, record[at] ?? ""])),
  );
}

/** The field whose opening quote was before `start`, and the position after it. */
function quotedField(
  text: string,
  start: number,
): [field: string, end: number] {
  let field = "";
  let from = start;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return [field + text.slice(from), text.length];
    field += text.slice(from, quote);
    if (text[quote + 1] !== '"') {
      // Characters between a closing quote and the next comma are not valid CSV; they are kept, not lost.
      const [rest, end] = bareField(text, quote + 1);
      return [field + rest, end];
    }
    field += '"';
    from = quote + 2;
  }
}

function bareField(text: string, start: number): [field: string, end: number] {
  let end = start;
  while (
    end < text.length &&
    text[end] !== "," &&
    text[end] !== "\n" &&
    text[end] !== "\r"
  )
    end++;
  return [text.slice(start, end), end];
}
