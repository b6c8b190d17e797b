import { emptyColumns, gatherColumns, type Columns } from "../build/columns.ts";
import { Recoder } from "./records.ts";
import { RecordSection } from "./record-section.ts";
import { ENTRY_NUMBERS, Entry, type RowStore } from "../build/row-store.ts";
import type { SnapshotDraft } from "../build/draft.ts";
import type { Layout } from "../build/layout.ts";
import type { SectionWriter } from "../container/section-writer.ts";

/** Documents whose entries are looked at together, so that the processor fetches several of them from memory at once. */
const AHEAD = 512;
/** Renumbering may lengthen a word's code from one byte to five; besides come the city's spelling and the file. */
const GROWTH = 5;
const ADDED_BYTES = 16;

/**
 * Writes the sections `record.*` from the entries of a draft's rows, and returns what else the entries hold, by document.
 * One pass does both, because the entries lie far apart and to reach one costs more than to copy it.
 */
export function writeRecords(
  writer: SectionWriter,
  draft: SnapshotDraft,
  layout: Layout,
): Columns {
  const { entries } = layout;
  const records = new RowRecords(draft.rows, layout, draft.words.write(writer));
  const columns = emptyColumns(entries.length);
  const section = new RecordSection(writer, entries.length);
  for (let from = 0; from < entries.length; from += AHEAD) {
    const to = Math.min(from + AHEAD, entries.length);
    gatherColumns(columns, draft.rows, entries, from, to);
    for (let doc = from; doc < to; doc++) {
      const length = records.make(doc);
      section.add(records.bytes, 0, length);
    }
  }
  section.end();
  return columns;
}

/** Makes the records of a draft's documents as the file has them. */
export class RowRecords {
  /** Holds the record that was made last, from 0 on. */
  bytes: Uint8Array = new Uint8Array(1 << 12);
  readonly #rows: RowStore;
  readonly #layout: Layout;
  readonly #recoder: Recoder;

  /** `words` are by the draft's numbers the file's. */
  constructor(rows: RowStore, layout: Layout, words: Uint32Array) {
    this.#rows = rows;
    this.#layout = layout;
    this.#recoder = new Recoder((word) => words[word]!);
  }

  /** Makes a document's record and returns its length. */
  make(doc: number): number {
    const { citySpellings, entries } = this.#layout;
    const { bytes, numbers } = this.#rows.chunkOf(entries[doc]!);
    const at = this.#rows.placeIn(entries[doc]!);
    const length = numbers[at + Entry.lengthAndKind]! >>> 3;
    const room = length * GROWTH + ADDED_BYTES;
    if (room > this.bytes.length) this.bytes = new Uint8Array(room * 2);
    return this.#recoder.recode(
      bytes,
      (at + ENTRY_NUMBERS) * 4,
      this.bytes,
      0,
      citySpellings[numbers[at + Entry.place]!]!,
      numbers[at + Entry.taxonomyAndFile]! >>> 16,
      0,
    );
  }
}
