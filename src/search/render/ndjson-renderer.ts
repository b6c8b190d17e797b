import type { SnapshotView } from "../../snapshot/snapshot.ts";
import type { Hit } from "../query.ts";
import { JsonRecords } from "./json-records.ts";
import { constant, type JsonText } from "./json-text.ts";
import type { Members, Renderer } from "./renderer.ts";

const LF = constant("\n");

/** Writes a record per line, as JSON. */
export class NdjsonRenderer implements Renderer {
  readonly #out: JsonText;
  readonly #records: JsonRecords;

  constructor(snapshot: SnapshotView, out: JsonText) {
    this.#out = out;
    this.#records = new JsonRecords(snapshot, out);
  }

  begin(): void {}

  row({ doc }: Hit, details: Members): void {
    this.#records.record(doc, details);
    this.#out.raw(LF);
  }

  end(): void {}
}
