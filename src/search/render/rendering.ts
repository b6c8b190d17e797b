import { CHUNK, type NameChunk } from "../evaluate/workspace.ts";
import type { CheckedNpi } from "../npi-checker.ts";
import type { FoundRecord, Hit } from "../query.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { JsonRenderer } from "./json-renderer.ts";
import { JsonText } from "./json-text.ts";
import type { Members } from "./renderer.ts";
import { rowFormat } from "./row-formats.ts";

/** How many providers can be read ahead. */
export const READ_AHEAD = CHUNK;

/** What fits in front of an answer (`JsonText.behind`). */
const MAX_HEAD_BYTES = 2_048;
const NOTHING: Members = {};

/** Renders what a directory finds. One instance per thread: what it writes is valid until it writes again. */
export class Rendering {
  readonly json: JsonRenderer;
  readonly #snapshot: Snapshot;
  readonly #names: NameChunk;
  readonly #out = new JsonText(MAX_HEAD_BYTES);
  readonly #docs = new Uint32Array(CHUNK);

  constructor(snapshot: Snapshot, names: NameChunk) {
    this.#snapshot = snapshot;
    this.#names = names;
    this.json = new JsonRenderer(snapshot, this.#out);
  }

  /** Renders a record as the JSON of a lookup: `{"data":…}` with further members. */
  renderRecord(record: FoundRecord, members: Members): string {
    return this.writeRecord(record, members).text();
  }

  /** The same, valid until something else is rendered. */
  writeRecord(record: FoundRecord, members: Members): JsonText {
    this.#fetchNames([record]);
    return this.json.record(record, members);
  }

  /** Renders an entry of a batch as JSON. */
  renderChecked(checked: CheckedNpi): string {
    return this.json.checked(checked).text();
  }

  /** Writes providers to `out` as rows of CSV, with line ends. */
  csvRows(out: JsonText): (found: FoundRecord) => void {
    const rows = rowFormat("csv").make(this.#snapshot, out);
    return (found) => rows.row(found, NOTHING);
  }

  /** Renders a page of entries with further members. */
  renderPage(hits: readonly Hit[], members: Members): string {
    return this.writePage(hits, members).text();
  }

  /** The same, valid until something else is rendered. */
  writePage(hits: readonly Hit[], members: Members): JsonText {
    this.#fetchNames(hits);
    const out = this.#out;
    out.begin();
    this.json.begin();
    for (const hit of hits) this.json.row(hit);
    this.json.end(members);
    return out;
  }

  /**
   * Reads ahead what the checker and rendering need of NPIs, at most READ_AHEAD, which is far apart in memory. Anything
   * else than an NPI is ignored.
   */
  readAhead(npis: readonly string[]): void {
    const docs = this.#docs;
    const numbers = Uint32Array.from(npis, (npi) => Number(npi));
    const size = this.#snapshot.npiIndex.findAll(numbers, docs);
    this.#names.read(docs, 0, size);
    this.#snapshot.records.readAhead(docs, size);
  }

  /** Reads ahead the names of a page, which are far apart in memory. A page has at most as many entries as a chunk. */
  #fetchNames(hits: readonly Hit[]): void {
    const size = Math.min(hits.length, CHUNK);
    const docs = this.#docs;
    for (let i = 0; i < size; i++) docs[i] = hits[i]!.doc;
    this.#names.read(docs, 0, size);
  }
}
