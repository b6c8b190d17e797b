import { CHUNK, type NameChunk } from "../evaluate/workspace.ts";
import type { DocReader, MatchedDocs } from "../evaluate/matched-docs.ts";
import { JsonText } from "./json-text.ts";
import { NO_MEMBERS, type Renderer } from "./renderer.ts";
import type { SnapshotView } from "../../snapshot/snapshot.ts";
import type { RowFormat } from "./row-formats.ts";

/** A slice ends after this many bytes. */
const SLICE_BYTES = 65_536;
/** The number of rows without details that are rendered between looks at the clock: some 10 µs. */
const ROWS_PER_LOOK = 4;

interface RowSources {
  readonly docs: MatchedDocs;
  readonly format: RowFormat;
  readonly snapshot: SnapshotView;
  readonly names: NameChunk;
  /** Writes the details of a document, valid until the next one's; null if rows have none. */
  readonly detailsOf: ((doc: number) => Uint8Array) | null;
}

/**
 * Renders documents as rows, a slice at a time. Other answers may be rendered between slices. All slices are made in
 * the same memory: with a buffer for each, the collector would often stop the thread for milliseconds.
 */
export class Rows {
  readonly total: number;
  /** The number of rows in the slices so far. */
  rendered = 0;
  readonly #sources: RowSources;
  readonly #out = new JsonText();
  readonly #renderer: Renderer;
  readonly #reader: DocReader;
  readonly #docs = new Uint32Array(CHUNK);
  #count = 0;
  #at = 0;
  #hasBegun = false;
  #hasEnded = false;

  constructor(sources: RowSources) {
    const { format, docs, snapshot } = sources;
    this.#sources = sources;
    this.#renderer = format.make(snapshot, this.#out);
    this.#reader = docs.reader();
    this.total = docs.total;
  }

  /**
   * Renders the next slice, valid until the one after it: whole rows, at least one, about 64 KB or as much as
   * `withinMs` milliseconds are enough for. Null after the last one.
   */
  next(withinMs = Infinity): Uint8Array | null {
    const { detailsOf, docs } = this.#sources;
    const out = this.#out;
    const renderer = this.#renderer;
    out.begin();
    if (!this.#hasBegun) renderer.begin();
    this.#hasBegun = true;
    const end = performance.now() + withinMs;
    const rowsPerLook = detailsOf === null ? ROWS_PER_LOOK : 1;
    for (let left = rowsPerLook; out.length < SLICE_BYTES; left--) {
      if (this.#at === this.#count && !this.#read()) {
        if (!this.#hasEnded) renderer.end(NO_MEMBERS);
        this.#hasEnded = true;
        break;
      }
      if (left === 0) {
        if (performance.now() >= end) break;
        left = rowsPerLook;
      }
      const doc = this.#docs[this.#at]!;
      // Reads the file before anything of the row is written.
      const details = detailsOf?.(doc);
      const miles = docs.miles?.[this.rendered];
      renderer.row(miles === undefined ? { doc } : { doc, miles }, details);
      this.#at++;
      this.rendered++;
    }
    return out.length === 0 ? null : out.view();
  }

  #read(): boolean {
    this.#at = 0;
    this.#count = this.#reader.read(this.#docs);
    this.#sources.names.read(this.#docs, 0, this.#count);
    return this.#count > 0;
  }
}
