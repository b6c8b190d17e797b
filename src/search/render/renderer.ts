import type { Hit } from "../query.ts";

/** The members of an answer other than its data, such as `meta`. Values are JSON. */
export type Members = Readonly<Record<string, unknown>>;

/** No members at all. */
export const NO_MEMBERS: Members = {};

/** Writes documents in a format, to the text that it was made with. */
export interface Renderer {
  /** Writes what comes before the first document. */
  begin(): void;
  /** Writes the next document. Its details, which `writeDetails` wrote, follow the members of the record. */
  row(hit: Hit, details?: Uint8Array): void;
  /** Writes what comes after the last document, with further members if the format has a place for them. */
  end(members: Members): void;
}
