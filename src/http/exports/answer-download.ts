import type { FastifyReply, FastifyRequest } from "fastify";
import { NOWHERE } from "../../accounts/metering/shared-index.ts";
import type { AccountHandle, Viewer } from "../../accounts/metering/gate.ts";
import { answersOfRows, MAX_DOWNLOAD_ROWS } from "../../contract/operation.ts";
import type { ExportFormat } from "../../contract/parameters.ts";
import type { FilterValues } from "../../contract/parameters/filter-schemas.ts";
import type { Directory, FirstDocs } from "../../search/directory.ts";
import { foundDocs } from "../../search/evaluate/found-docs.ts";
import { networkOf } from "../access/client-address.ts";
import {
  accountOfDownload,
  countVisitorPages,
} from "../access/explorer-gate.ts";
import {
  foreignOrigin,
  hiddenHeaders,
  isOfScript,
} from "../access/same-origin.ts";
import type { AppContext, PortalDependencies } from "../app-context.ts";
import { AccountShares, tooManyAtOnce } from "../limits/account-share.ts";
import { MAX_EXPORTS } from "../limits/server-limits.ts";
import { countInTime, quotaExceeded } from "../pipeline/admission.ts";
import { logCause } from "../pipeline/answer-data.ts";
import type { Failure, Refuse } from "../pipeline/failure.ts";
import { SNAPSHOT_HEADER } from "../pipeline/headers.ts";
import {
  dataFor,
  isFailure,
  type DataOperation,
  type OperationResult,
} from "../queries/data-operation.ts";
import { downloadName } from "./download-name.ts";
import {
  beginExport,
  type ExportFiles,
  type RowsShown,
} from "./export-files.ts";

const NO_DOCS = foundDocs(new Uint32Array(0));

/** An operation with a list that can be downloaded: parsed and resolved as for its pages. */
export interface Download<
  Parsed extends object,
  Query extends object,
> extends Pick<
  DataOperation<Parsed, Query, OperationResult>,
  "parse" | "pinned" | "resolve"
> {
  /** The filters that name the file. */
  readonly filters: (parsed: Parsed) => FilterValues;
  /** Chooses the format of the file's rows; a failure if the data lacks what they need. */
  readonly rows: (
    data: Directory,
    parsed: Parsed,
    format: ExportFormat,
  ) => RowsShown | Failure;
  /**
   * How many documents the whole list has, and the first `most` in its order. Those are found only once the download is
   * allowed: they can take much longer than their number (ADR 43).
   */
  readonly find: (data: Directory, query: Query, most: number) => FirstDocs;
}

/**
 * Answers the explorer's downloads. Those of a signed-in user count against the account's quota, as exports with a key
 * do. Those of visitors are short, and count as as many pages.
 */
export class DownloadAnswers {
  readonly #deps: AppContext;
  readonly #refuse: Refuse;
  readonly #files: ExportFiles;
  /** Apart from exports, so that visitors can't take their places. */
  readonly #visitors = new AccountShares<string>(
    { all: MAX_EXPORTS, account: 1 },
    () =>
      tooManyAtOnce(
        "Another download from your network is still running. Try again when it has finished.",
      ),
  );

  constructor(deps: AppContext, refuse: Refuse, files: ExportFiles) {
    this.#deps = deps;
    this.#refuse = refuse;
    this.#files = files;
  }

  /** Makes the handler of a download's route. */
  of<Parsed extends object, Query extends object>(
    portal: PortalDependencies,
    download: Download<Parsed, Query>,
    format: ExportFormat,
  ) {
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const failure = await this.#answer(
        request,
        reply,
        portal,
        download,
        format,
      );
      if (failure === null) return undefined;
      logCause(this.#deps, request, failure);
      return this.#refuse(request, reply, failure);
    };
  }

  /** Returns why the request is refused, or null once the answer has begun. */
  async #answer<Parsed extends object, Query extends object>(
    request: FastifyRequest,
    reply: FastifyReply,
    portal: PortalDependencies,
    download: Download<Parsed, Query>,
    format: ExportFormat,
  ): Promise<Failure | null> {
    const deps = this.#deps;
    const parsed = download.parse(request);
    if (isFailure(parsed)) return parsed;
    const account = await accountOfDownload(deps, portal, request);
    if (account !== null && isFailure(account)) return account;
    // A link in a mail or of another site's could otherwise spend the month of a user who follows it.
    if (account !== null && !isOfScript(request))
      return foreignOrigin(
        "Downloads of signed-in users start with the button Download these results. A link can't start one. In a program, use GET /v1/providers/export with an API key.",
      );
    const data = dataFor(deps.data, download.pinned?.(parsed));
    if (isFailure(data)) return data;
    const query = download.resolve(data, parsed);
    if (isFailure(query)) return query;
    const rows = download.rows(data, parsed, format);
    if (isFailure(rows)) return rows;
    const spent = account === null ? null : this.#spent(account);
    if (spent !== null) return spent;

    const share =
      account === null
        ? this.#visitors.open(networkOf(request.ip))
        : this.#files.shares.open(account.id);
    const begun = beginExport(data, share);
    if (isFailure(begun)) return begun;
    using running = begun;
    const most = MAX_DOWNLOAD_ROWS[account === null ? "visitor" : "account"];
    const { first, total } = download.find(data, query, most);
    const isHead = request.method === "HEAD";
    const answers = answersOfRows(isHead ? 1 : Math.min(total, most));
    const uncounted =
      account === null
        ? countVisitorPages(deps, portal, request, reply, answers)
        : await this.#count(reply, account, answers);
    if (uncounted !== null) return uncounted;
    const name = downloadName(
      download.filters(parsed),
      total > most ? most : null,
    );
    const headers = hiddenHeaders(request, reply);
    headers.push(SNAPSHOT_HEADER, data.id);
    await this.#files.send(
      request,
      reply,
      {
        ...rows,
        data,
        found: isHead ? NO_DOCS : first(),
        name,
        total,
      },
      headers,
      running,
    );
    return null;
  }

  /** The failure of an account whose month has nothing left, else null. */
  #spent(viewer: Viewer): Failure | null {
    const { gate, now } = this.#deps;
    const quota = gate.quota(handleOf(viewer), now());
    return quota.remaining > 0 ? null : quotaExceeded(quota);
  }

  #count(
    reply: FastifyReply,
    viewer: Viewer,
    answers: number,
  ): Promise<Failure | null> {
    const deps = this.#deps;
    const account = handleOf(viewer);
    const counted = {
      account,
      operation: "export",
      nowMs: deps.now(),
    } as const;
    return countInTime(deps, reply, counted, answers);
  }
}

/** The account as downloads count for it: they have no key. */
function handleOf({ id, plan }: Viewer): AccountHandle {
  return { id, plan, keyPlace: NOWHERE };
}
