import { CHUNK, type NameChunk } from "../evaluate/workspace.ts";
import type { CheckedNpi } from "../npi-checker.ts";
import type { FoundRecord, Hit } from "../query.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import { JsonRecords, textOfMembers, writeMembers } from "./json-records.ts";
import { constant, JsonText } from "./json-text.ts";
import { NO_MEMBERS, type Members } from "./renderer.ts";
import { rowFormat } from "./row-formats.ts";

/** The number of providers that can be read ahead. */
export const READ_AHEAD = CHUNK;

/** The bytes that fit in front of a response (`JsonText.behind`). */
const MAX_HEAD_BYTES = 2_048;

const NULL = constant("null");
const END = constant("}");
const RECORD = constant('{"data":');
const ENTRIES = constant('{"data":[');
const NEXT = constant(",");
const ENTRIES_END = constant("]");

/** Renders what a directory finds. One instance per thread: what it writes is valid until it writes again. */
export class Rendering {
  readonly #snapshot: Snapshot;
  readonly #names: NameChunk;
  readonly #out = new JsonText(MAX_HEAD_BYTES);
  readonly #records: JsonRecords;
  readonly #docs = new Uint32Array(CHUNK);
  /** The members of the last record's answer and their text. For lookups they are always the same. */
  #lastMembers = NO_MEMBERS;
  #lastText = constant("");

  constructor(snapshot: Snapshot, names: NameChunk) {
    this.#snapshot = snapshot;
    this.#names = names;
    this.#records = new JsonRecords(snapshot, this.#out);
  }

  /** Renders a record as the JSON of a lookup: `{"data":…}` with further members. */
  renderRecord(record: FoundRecord, members: Members): string {
    return this.writeRecord(record, members).text();
  }

  /** Renders that for a caller that reads it at once: it is valid until something else is rendered. */
  writeRecord({ details, doc }: FoundRecord, members: Members): JsonText {
    this.#fetchNames([{ doc }]);
    const out = this.#out;
    out.begin();
    out.raw(RECORD);
    this.#records.record(doc, details);
    if (members !== this.#lastMembers) {
      this.#lastMembers = members;
      this.#lastText = constant(textOfMembers(members));
    }
    out.raw(this.#lastText);
    out.raw(END);
    return out;
  }

  /** Renders an entry of a batch as JSON, with the record of its provider. */
  renderChecked({
    found,
    npi,
    replacedBy,
    suggestions,
    verdict,
  }: CheckedNpi): string {
    const out = this.#out;
    out.begin();
    out.utf8(
      `{"npi":${JSON.stringify(npi)},"verdict":"${verdict}","provider":`,
    );
    if (found === null) out.raw(NULL);
    else this.#records.record(found.doc, found.details);
    writeMembers(out, {
      replaced_by: replacedBy,
      ...(suggestions === null ? {} : { suggestions }),
    });
    out.raw(END);
    return out.text();
  }

  /** Writes providers to `out` as rows of CSV, with line ends. */
  csvRows(out: JsonText): (found: FoundRecord) => void {
    const rows = rowFormat("csv").make(this.#snapshot, out);
    return (found) => rows.row(found);
  }

  /** Renders a page of entries with further members: `{"data":[…], …}`. */
  renderPage(hits: readonly Hit[], members: Members): string {
    return this.writePage(hits, members).text();
  }

  /** Renders that for a caller that reads it at once: it is valid until something else is rendered. */
  writePage(hits: readonly Hit[], members: Members): JsonText {
    this.#fetchNames(hits);
    const out = this.#out;
    out.begin();
    out.raw(ENTRIES);
    this.#records.startEntries();
    for (const [index, hit] of hits.entries()) {
      if (index > 0) out.raw(NEXT);
      this.#records.entry(hit);
    }
    out.raw(ENTRIES_END);
    writeMembers(out, members);
    out.raw(END);
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
