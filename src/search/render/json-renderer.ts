import { constant, type JsonText } from "./json-text.ts";
import type { SnapshotView } from "../../snapshot/snapshot.ts";
import type { CheckedNpi } from "../npi-checker.ts";
import type { FoundRecord, Hit } from "../query.ts";
import { JsonRecords, textOfMembers, writeMembers } from "./json-records.ts";
import type { Members, Renderer } from "./renderer.ts";

const NULL = constant("null");
const END = constant("}");
const RECORD = constant('{"data":');
const ENTRIES = constant('{"data":[');
const NEXT = constant(",");
const ENTRIES_END = constant("]");

/** Writes a page as `{"data":[…], …}`, and a record as `{"data":{…}, …}`, a text valid until the next one. */
export class JsonRenderer implements Renderer {
  readonly #out: JsonText;
  readonly #records: JsonRecords;
  #isFirst = true;
  /** The members of the last answer and their text. For lookups they are always the same. */
  #lastMembers: Members = {};
  #lastText = constant("");

  constructor(source: SnapshotView, out: JsonText) {
    this.#out = out;
    this.#records = new JsonRecords(source, out);
  }

  begin(): void {
    this.#out.raw(ENTRIES);
    this.#records.startEntries();
    this.#isFirst = true;
  }

  row(hit: Hit): void {
    if (!this.#isFirst) this.#out.raw(NEXT);
    this.#isFirst = false;
    this.#records.entry(hit);
  }

  end(members: Members): void {
    this.#out.raw(ENTRIES_END);
    writeMembers(this.#out, members);
    this.#out.raw(END);
  }

  /** A record with its details, and the other members of the answer. */
  record({ details, doc }: FoundRecord, members: Members): JsonText {
    this.#out.begin();
    this.#out.raw(RECORD);
    this.#records.record(doc, details);
    if (members !== this.#lastMembers) {
      this.#lastMembers = members;
      this.#lastText = constant(textOfMembers(members));
    }
    this.#out.raw(this.#lastText);
    return this.#end();
  }

  /** An entry of a batch, with the record of its provider. */
  checked({
    found,
    npi,
    replacedBy,
    suggestions,
    verdict,
  }: CheckedNpi): JsonText {
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
    return this.#end();
  }

  #end(): JsonText {
    this.#out.raw(END);
    return this.#out;
  }
}
