import type { FastifyReply, FastifyRequest } from "fastify";
import type { DetailPart } from "../../contract/detail-parts.ts";
import type { Directory } from "../../search/directory.ts";
import type { FoundDocs } from "../../search/evaluate/found-docs.ts";
import type { RowFormat } from "../../search/render/row-formats.ts";
import type { AppContext } from "../app-context.ts";
import { AccountShares, type AccountShare } from "../limits/account-share.ts";
import {
  EXPORT_PACE,
  MAX_ACCOUNT_EXPORTS,
  MAX_EXPORTS,
} from "../limits/server-limits.ts";
import { listsMediaType, weightOf } from "../pipeline/accept.ts";
import type { HeaderList } from "../pipeline/headers.ts";
import type { Failure } from "../pipeline/failure.ts";
import { noteAnswer } from "../pipeline/request-log.ts";
import { sendRows, type Cut } from "./send-rows.ts";
import { Slices } from "./slices.ts";

/** The format of rows, and the details that it needs. */
export interface RowsShown {
  readonly format: RowFormat;
  /** The parts of details in the rows. */
  readonly parts: readonly DetailPart[];
}

/** The rows of an answer, and what its headers say of them. */
export interface ExportFile extends RowsShown {
  readonly data: Directory;
  readonly found: FoundDocs;
  /** Its name without extension: only letters, digits and hyphens. */
  readonly name: string;
  /** How many providers match; the file may have fewer. */
  readonly total: number;
}

/** Sends exports of a thread, once they are admitted and counted. */
export class ExportFiles {
  /** What accounts take of the exports that run at the same time. */
  readonly shares = new AccountShares({
    all: MAX_EXPORTS,
    account: MAX_ACCOUNT_EXPORTS,
  });
  readonly #deps: AppContext;
  readonly #slices = new Slices();

  constructor(deps: AppContext) {
    this.#deps = deps;
  }

  /**
   * Sends a file with these headers and its own; only the head if the request is HEAD. Resolves once it has ended, or
   * is cut.
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    file: ExportFile,
    headers: HeaderList,
    { place, released }: RunningExport,
  ): Promise<void> {
    const { data, format, found, parts } = file;
    const compressed = acceptsGzip(request.headers["accept-encoding"]);
    const all = [...headers, ...headersOf(file, compressed)];
    reply.hijack();
    reply.raw.writeHead(200, all);
    if (request.method === "HEAD") {
      reply.raw.end();
      noteAnswer(this.#deps, request, 200);
      return;
    }
    const rows = data.rows(found, format, parts);
    const cut = await sendRows({
      response: reply.raw,
      rows,
      slices: this.#slices,
      compressed,
      pace: EXPORT_PACE,
      place,
      released,
    });
    this.#note(request, rows.rendered, cut);
  }

  /** Writes an export down once it has ended. */
  #note(request: FastifyRequest, rows: number, cut: Cut | null): void {
    const isFault = cut !== null && typeof cut === "object";
    if (isFault)
      this.#deps.logger?.error(
        { request_id: request.id, err: cut.error },
        "an export was cut: cannot render a row",
      );
    noteAnswer(this.#deps, request, 200, {
      rows,
      cut: cut === null ? undefined : isFault ? "failed" : cut,
    });
  }
}

/** A running export: its place among those that run, and its hold on the data. */
export interface RunningExport extends Disposable {
  readonly place: AccountShare;
  /** Aborts when the data must be let go of. */
  readonly released: AbortSignal;
}

/** Takes a place for an export and holds the data; a failure, and nothing taken, if there is no place. */
export function beginExport(
  data: Directory,
  place: AccountShare,
): RunningExport | Failure {
  const excess = place.take(1);
  if (excess !== null) return excess;
  const owned = new DisposableStack();
  owned.use(place);
  const released = new AbortController();
  owned.use(data.hold(() => released.abort()));
  return {
    place,
    released: released.signal,
    [Symbol.dispose]: () => owned.dispose(),
  };
}

function headersOf(
  { format: { contentType, extension }, name, total }: ExportFile,
  compressed: boolean,
): string[] {
  return [
    "content-type",
    contentType,
    "content-disposition",
    `attachment; filename="${name}.${extension}"`,
    "x-total-count",
    String(total),
    ...(compressed ? ["content-encoding", "gzip"] : []),
  ];
}

/** Whether a client lists gzip. */
function acceptsGzip(accept: string | string[] | undefined): boolean {
  const listed = accept?.toString();
  return listsMediaType(listed, "gzip") && weightOf(listed, "gzip") > 0;
}
