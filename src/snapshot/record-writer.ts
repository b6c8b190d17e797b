import { Recoder, RECORDS_PER_BLOCK } from "./records.ts";
import { writeVarint } from "./varint.ts";
import type { DictionaryDraft } from "./dictionary.ts";
import type { SnapshotDraft } from "./draft.ts";
import type { Layout } from "./layout.ts";
import type { SectionWriter } from "./section-file.ts";

const BUFFER_BYTES = 1 << 20;

/** Writes the sections `record.*`: words by how often they are used, so that the common ones take one byte. */
export function writeRecords(
  writer: SectionWriter,
  draft: SnapshotDraft,
  cities: DictionaryDraft,
  layout: Layout,
): void {
  const numbers = writeWords(writer, draft);
  const { rows } = layout;
  const placed = layout.places.starts.at(-1)!;
  const blocks = new Uint32Array(Math.ceil(rows.length / RECORDS_PER_BLOCK));
  const recoder = new Recoder();
  const changes = { citySpelling: 0, file: 0, deactivationDate: 0 };
  const renumber = (word: number): number => numbers[word]!;
  let buffer = new Uint8Array(BUFFER_BYTES * 2);
  let record = new Uint8Array(1 << 12);
  let filled = 0;
  let written = 0;
  writer.begin("record.bytes", 1);
  rows.forEach((row, doc) => {
    if (doc % RECORDS_PER_BLOCK === 0)
      blocks[doc / RECORDS_PER_BLOCK] = written + filled;
    const room = draft.rows.recordBytes(row) * 5 + 16;
    if (room > record.length) record = new Uint8Array(room * 2);
    if (filled + room > buffer.length) buffer = resized(buffer, filled + room);
    changes.citySpelling =
      doc < placed ? citySpelling(draft, cities, layout, row) : 0;
    changes.file = draft.rows.file[row]!;
    const end = recoder.recode(
      draft.rows.chunkOf(row),
      draft.rows.recordAt(row),
      record,
      0,
      renumber,
      changes,
    );
    filled = writeVarint(buffer, filled, end);
    for (let i = 0; i < end; i++) buffer[filled++] = record[i]!;
    if (filled >= BUFFER_BYTES) {
      writer.append(buffer.subarray(0, filled));
      written += filled;
      filled = 0;
    }
  });
  writer.append(buffer.subarray(0, filled));
  writer.end();
  writer.write("record.blocks", blocks);
}

/** How far a row's city spelling stands from the first spelling of its place's city. */
function citySpelling(
  draft: SnapshotDraft,
  cities: DictionaryDraft,
  layout: Layout,
  row: number,
): number {
  return (
    cities.numbers[draft.rows.city[row]!]! -
    layout.places.city[layout.placeOfRow(row)]!
  );
}

/** Writes the words, the most used first, and returns per word of the draft its number. */
function writeWords(writer: SectionWriter, draft: SnapshotDraft): Uint32Array {
  const { arena, offsets, size } = draft.words;
  const counts = draft.wordCounts;
  const order = new Uint32Array(size)
    .map((_, word) => word)
    .sort((a, b) => counts[b]! - counts[a]! || a - b);
  const numbers = new Uint32Array(size);
  const bytes = new Uint8Array(offsets[size]!);
  const starts = new Uint32Array(size + 1);
  let to = 0;
  order.forEach((word, number) => {
    numbers[word] = number;
    for (let from = offsets[word]!; from < offsets[word + 1]!; from++)
      bytes[to++] = arena[from]!;
    starts[number + 1] = to;
  });
  writer.write("record.wordBytes", bytes);
  writer.write("record.wordOffsets", starts);
  return numbers;
}

function resized(buffer: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length * 2);
  larger.set(buffer);
  return larger;
}
