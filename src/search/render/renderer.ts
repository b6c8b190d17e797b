import type { Hit } from "../query.ts";

/** What an answer says besides its data, by name: `meta`, for example. Values are JSON. */
export type Members = Readonly<Record<string, unknown>>;

/** Writes a page of documents in a format. One per thread: a page is ended before the next one begins. */
export interface Renderer {
  begin(): void;
  /** The next document. */
  entry(hit: Hit): void;
  /** Ends the page, and returns its text. */
  end(members: Members): string;
}
