import { callOf, type Call, type Received } from "./call.ts";
import { UnexpectedResponseError } from "./errors.ts";

/** A page of a list. */
export interface Page<Row, Meta> {
  readonly data: readonly Row[];
  readonly meta: Meta;
  /** The ID of the snapshot that all pages of the list are from. */
  readonly snapshot: string;
}

/**
 * A list that the service gives in pages. The first page is requested at once. `await` it for that page, or read on
 * with `for await`, `pages()`, or `toArray()`, which request each further page when it is reached.
 */
export interface List<Row, Meta>
  extends Call<Page<Row, Meta>>, AsyncIterable<Row> {
  /** Iterates over the pages from the first one. */
  pages(): AsyncGenerator<Page<Row, Meta>, void, undefined>;
  /** Reads all pages. */
  toArray(): Promise<Row[]>;
}

/** Loads the page after another one; null for the first. Returns null if there is none. */
export type Load<Row, Meta> = (
  previous: Page<Row, Meta> | null,
) => Promise<Received<Page<Row, Meta>>> | null;

/** Makes a list of a way to load its pages. */
export function listOf<Row, Meta>(load: Load<Row, Meta>): List<Row, Meta> {
  const first = load(null) ?? Promise.reject(new Error("There is no page."));
  const call = callOf(first);
  const list = {
    async *pages() {
      for (
        let next: ReturnType<typeof load> = call.withResponse();
        next !== null;
      ) {
        const { data: page } = await next;
        yield page;
        next = load(page);
      }
    },
    async *[Symbol.asyncIterator]() {
      for await (const page of list.pages()) yield* page.data;
    },
    async toArray() {
      const rows: Row[] = [];
      for await (const page of list.pages()) rows.push(...page.data);
      return rows;
    },
  };
  return Object.assign(call, list);
}

/** Makes a page of a response's envelope. Fails without the snapshot, which the next pages need. */
export function pageOf<Row, Meta>({
  data: { data, meta },
  snapshot,
  ...rest
}: Received<{ data: Row[]; meta: Meta }>): Received<Page<Row, Meta>> {
  if (snapshot === null)
    throw new UnexpectedResponseError(
      "The response has no Snapshot header, without which pages of different data could be mixed. A proxy may remove it.",
    );
  return { ...rest, snapshot, data: { data, meta, snapshot } };
}
