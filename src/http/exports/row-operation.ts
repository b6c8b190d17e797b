import { answersOfRows } from "../../contract/operation.ts";
import type { Directory, FirstDocs } from "../../search/directory.ts";
import { foundDocs } from "../../search/evaluate/found-docs.ts";
import type { BodyStream } from "../call.ts";
import { reserve } from "../answer.ts";
import { listsMediaType, weightOf } from "../pipeline/accept.ts";
import { isFailure, type Failure } from "../pipeline/failure.ts";
import { EXPOSED_HEADERS, SNAPSHOT_HEADER } from "../pipeline/headers.ts";
import type {
  DataOperation,
  OperationResult,
} from "../queries/data-operation.ts";
import {
  beginExport,
  type ExportFiles,
  type RowsShown,
} from "./export-files.ts";

/** A question whose whole list is sent as rows: parsed and resolved as for its pages. */
export interface RowSource<
  Parsed extends object,
  Query extends object,
> extends Pick<
  DataOperation<Parsed, Query, OperationResult>,
  "key" | "parse" | "pinned" | "resolve"
> {
  /** Chooses the format of the rows; a failure if the data lacks what they need. */
  readonly rows: (data: Directory, parsed: Parsed) => RowsShown | Failure;
  /** The file's name without extension. `first` is how many rows it has, if that isn't all. */
  readonly name: (
    data: Directory,
    parsed: Parsed,
    first: number | null,
  ) => string;
  /**
   * Counts the documents of the whole list, and finds the first `most` in its order. Those are found only once they are
   * reserved: they can take much longer than their number (ADR 43).
   */
  readonly find: (data: Directory, query: Query, most: number) => FirstDocs;
  /** Headers that only this list has, which scripts may read too. */
  readonly exposed?: readonly string[];
}

const NO_DOCS = foundDocs(new Uint32Array(0));

interface RowQuery<Parsed, Query> {
  readonly parsed: Parsed;
  readonly query: Query;
  readonly shown: RowsShown;
}

interface RowsResult extends OperationResult {
  readonly body: BodyStream;
}

/** Makes the operation that sends a whole list. It is counted before its first byte. */
export function rowOperation<Parsed extends object, Query extends object>(
  files: ExportFiles,
  source: RowSource<Parsed, Query>,
): DataOperation<Parsed, RowQuery<Parsed, Query>, RowsResult> {
  const { exposed, find, name, resolve, rows, ...steps } = source;
  return {
    ...steps,
    responses: () => null,
    resolve(data, parsed) {
      const query = resolve(data, parsed);
      if (isFailure(query)) return query;
      const shown = rows(data, parsed);
      return isFailure(shown) ? shown : { parsed, query, shown };
    },
    async execute(data, { parsed, query, shown }, call) {
      const { caller, headers, id, method, response } = call;
      const { maxRows } = caller;
      const running = beginExport(data, files.placeOf(caller));
      if (isFailure(running)) return running;
      // Whatever becomes of it: it may be refused, be HEAD, or lose its client.
      response?.once("close", () => running[Symbol.dispose]());
      const { first, total } = find(data, query, maxRows);
      const isHead = method === "HEAD";
      const sent = isHead ? 1 : Math.min(total, maxRows);
      const reserving = reserve(call, answersOfRows(sent));
      if (reserving instanceof Promise) await reserving;
      const { format } = shown;
      const isCut = total > maxRows;
      const fileName = name(data, parsed, isCut ? maxRows : null);
      const isCompressed = acceptsGzip(headers["accept-encoding"]);
      const found = isHead ? NO_DOCS : first();
      return {
        body: files.stream(id, data, found, shown, isCompressed, running),
        contentType: format.contentType,
        headers: [
          SNAPSHOT_HEADER,
          data.id,
          "content-disposition",
          `attachment; filename="${fileName}.${format.name}"`,
          "x-total-count",
          String(total),
          ...(isCompressed ? ["content-encoding", "gzip"] : []),
          ...(exposed === undefined
            ? []
            : [
                "access-control-expose-headers",
                [...EXPOSED_HEADERS, ...exposed].join(", "),
              ]),
        ],
      };
    },
    render: (_data, { body }) => body,
  };
}

/** True if a client lists gzip. */
function acceptsGzip(accept: string | string[] | undefined): boolean {
  const listed = accept?.toString();
  return listsMediaType(listed, "gzip") && weightOf(listed, "gzip") > 0;
}
