import type { Hit } from "../query.ts";
import type { JsonText } from "./json-text.ts";

/** The members of an answer other than its data, such as `meta`. Values are JSON. */
export type Members = Readonly<Record<string, unknown>>;

/** Writes documents as rows, each with its end of line. */
export interface RowRecords {
  /** The members of details follow those of the record. `miles` is the distance, if it was found by distance. */
  record(doc: number, details: Members, miles?: number): void;
}

/** Renders pages of documents in a format. One per thread: end a page before starting the next one. */
export interface Renderer {
  begin(): void;
  /** The next document. */
  entry(hit: Hit): void;
  /** Ends the page, and returns its text, valid until the next page. */
  end(members: Members): JsonText;
}
