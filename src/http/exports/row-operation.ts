import { answersOfRows } from "../../contract/operation.ts";
import type { DetailPart } from "../../contract/detail-parts.ts";
import type { Directory } from "../../search/directory.ts";
import type { FirstDocs } from "../../search/query.ts";
import { matchedDocs } from "../../search/evaluate/matched-docs.ts";
import type { RowFormat } from "../../search/render/row-formats.ts";
import type { Rows } from "../../search/render/rows.ts";
import type { Caller } from "../access/caller.ts";
import { reserve } from "../answer.ts";
import type { AppContext } from "../app-context.ts";
import type { BodyStream } from "../call.ts";
import {
  AccountShares,
  tooManyAtOnce,
  type AccountShare,
} from "../limits/account-share.ts";
import { turnsOf } from "../limits/fair-queue.ts";
import {
  EXPORT_PACE,
  MAX_ACCOUNT_EXPORTS,
  MAX_EXPORTS,
} from "../limits/server-limits.ts";
import { listsMediaType, weightOf } from "../pipeline/accept.ts";
import { isFailure, type Failure } from "../pipeline/failure.ts";
import { SNAPSHOT_HEADER, type HeaderList } from "../pipeline/headers.ts";
import type {
  DataOperation,
  OperationResult,
} from "../queries/data-operation.ts";
import { sendRows } from "./send-rows.ts";
import type { Workbook } from "./workbook/workbook.ts";

/** The format of rows, and the details that it needs. */
export interface RowsShown {
  readonly format: RowFormat;
  /** The parts of details in the rows. */
  readonly parts: readonly DetailPart[];
}

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
  /** Names the file, without extension. `first` is how many rows it has, if that isn't all. */
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
  /** Headers that only this list has. */
  readonly headers?: HeaderList;
}

const NO_DOCS = matchedDocs(new Uint32Array(0));

/** A running export: its place among those that run, and its hold on the data. */
interface RunningExport {
  readonly place: AccountShare;
  /** Aborts when the data must be let go of. */
  readonly released: AbortSignal;
  /** Encodes its rows; null if they are sent as they are. */
  readonly workbook: Workbook | null;
  /** Frees the place and the data. */
  readonly owned: DisposableStack;
}

/** Sends the exports of a thread, once they are admitted and counted. */
export class ExportFiles {
  /** The exports of accounts that run at the same time. */
  readonly #accounts = new AccountShares({
    all: MAX_EXPORTS,
    account: MAX_ACCOUNT_EXPORTS,
  });
  /** Those of visitors, by network. They are apart, so that visitors can't take the places of accounts. */
  readonly #visitors = new AccountShares<string>(
    { all: MAX_EXPORTS, account: 1 },
    () =>
      tooManyAtOnce(
        "Another download from your network is still running. Try again when it has finished.",
      ),
  );
  readonly #logger: AppContext["logger"];
  readonly #portal: AppContext["portal"];
  /**
   * Turns for slices: one in each round of the thread, so a thread with many exports answers everything else in
   * between. They don't wait behind the requests in the queue: that would be once for each slice of each export.
   */
  readonly #takeTurn = turnsOf(() => 0);

  constructor({ logger, portal }: Pick<AppContext, "logger" | "portal">) {
    this.#logger = logger;
    this.#portal = portal;
  }

  /** Takes a place for an export and holds the data; a failure, and nothing taken, if there is no place. */
  begin(
    data: Directory,
    { party }: Caller,
    { name }: RowFormat,
  ): RunningExport | Failure {
    const place =
      typeof party === "string"
        ? this.#visitors.open(party)
        : this.#accounts.open(party);
    const excess = place.take(1);
    if (excess !== null) return excess;
    using taken = new DisposableStack();
    taken.use(place);
    const workbook =
      name === "xlsx" ? (this.#portal?.workbooks.open() ?? null) : null;
    if (isFailure(workbook)) return workbook;
    taken.use(workbook);
    const owned = taken.move();
    const released = new AbortController();
    owned.use(data.pin(() => released.abort()));
    return { place, released: released.signal, workbook, owned };
  }

  /** Makes a body of rows. It ends `running` once it has ended or is cut. */
  stream(
    id: string,
    rowsOf: () => Rows,
    isCompressed: boolean,
    { owned, ...running }: RunningExport,
  ): BodyStream {
    return {
      send: async (response) => {
        using _running = owned;
        const rows = rowsOf();
        const cut = await sendRows({
          ...running,
          response,
          rows,
          takeTurn: this.#takeTurn,
          compressed: isCompressed,
          pace: EXPORT_PACE,
        });
        const isFault = cut !== null && typeof cut === "object";
        if (isFault)
          this.#logger?.error(
            { request_id: id, err: cut.error },
            "an export was cut: cannot render a row",
          );
        const reason = isFault ? "failed" : (cut ?? undefined);
        return { rows: rows.rendered, cut: reason };
      },
    };
  }
}

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
  const {
    find,
    headers: listHeaders = [],
    name,
    resolve,
    rows,
    ...steps
  } = source;
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
      const { format, parts } = shown;
      const running = files.begin(data, caller, format);
      if (isFailure(running)) return running;
      // Whatever becomes of it: it may be refused, be HEAD, or lose its client.
      response?.once("close", () => running.owned.dispose());
      const { first, total } = find(data, query, maxRows);
      const isHead = method === "HEAD";
      const sent = isHead ? 1 : Math.min(total, maxRows);
      const reserving = reserve(call, answersOfRows(sent));
      if (reserving instanceof Promise) await reserving;
      const isCut = total > maxRows;
      const fileName = name(data, parsed, isCut ? maxRows : null);
      // A workbook is a zip.
      const isCompressed =
        running.workbook === null && acceptsGzip(headers["accept-encoding"]);
      const found = isHead ? NO_DOCS : first();
      const rowsOf = () => data.lookup.rows(found, format, parts);
      return {
        body: files.stream(id, rowsOf, isCompressed, running),
        contentType: format.contentType,
        headers: [
          SNAPSHOT_HEADER,
          data.id,
          "content-disposition",
          `attachment; filename="${fileName}.${format.name}"`,
          "x-total-count",
          String(total),
          ...(isCompressed ? ["content-encoding", "gzip"] : []),
          ...listHeaders,
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
