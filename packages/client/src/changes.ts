import type { CallOptions } from "./call.ts";
import { listOf, pageOf, type List } from "./list.ts";
import type { Transport } from "./transport.ts";
import type { Change, ChangesParameters, ChangesResponse } from "./types.ts";

/** The changes, oldest first, until now. */
export interface Changes extends List<Change, ChangesResponse["meta"]> {
  /**
   * The cursor after the last page that you have read to its end; until then, the one that you gave, or null. Store it,
   * and give it to `changes` after the next update. After a break in the middle of a page, it gives this page again.
   */
  readonly nextCursor: string | null;
}

/** Makes the list of changes. */
export function changesOf(
  transport: Transport,
  parameters: ChangesParameters,
  options?: CallOptions,
): Changes {
  let nextCursor = parameters.cursor ?? null;
  const { since: _, ...others } = parameters;
  const list = listOf<Change, ChangesResponse["meta"]>((previous) => {
    let query = parameters;
    if (previous !== null) {
      // The caller asks for the next page once it has read this one.
      nextCursor = previous.meta.next_cursor;
      if (!previous.meta.has_more) return null;
      query = { ...others, cursor: nextCursor };
    }
    return transport
      .json<ChangesResponse>({ path: "/v1/changes", query }, options)
      .then(pageOf);
  });
  return Object.defineProperty(
    Object.assign(list, { nextCursor }),
    "nextCursor",
    { get: () => nextCursor },
  );
}
