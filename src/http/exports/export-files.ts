import type { DetailPart } from "../../contract/detail-parts.ts";
import type { Directory } from "../../search/directory.ts";
import type { FoundDocs } from "../../search/evaluate/found-docs.ts";
import type { RowFormat } from "../../search/render/row-formats.ts";
import type { Caller } from "../access/caller.ts";
import type { AppContext } from "../app-context.ts";
import type { BodyStream } from "../call.ts";
import {
  AccountShares,
  tooManyAtOnce,
  type AccountShare,
} from "../limits/account-share.ts";
import {
  EXPORT_PACE,
  MAX_ACCOUNT_EXPORTS,
  MAX_EXPORTS,
} from "../limits/server-limits.ts";
import type { Failure } from "../pipeline/failure.ts";
import { sendRows } from "./send-rows.ts";
import { Slices } from "./slices.ts";

/** The format of rows, and the details that it needs. */
export interface RowsShown {
  readonly format: RowFormat;
  /** The parts of details in the rows. */
  readonly parts: readonly DetailPart[];
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
  readonly #slices = new Slices();

  constructor({ logger }: Pick<AppContext, "logger">) {
    this.#logger = logger;
  }

  /** An empty share of the places, for an export of a caller. */
  placeOf({ party }: Caller): AccountShare {
    return typeof party === "string"
      ? this.#visitors.open(party)
      : this.#accounts.open(party);
  }

  /** Makes a body of rows. It frees `running` once it has ended or is cut. */
  stream(
    id: string,
    data: Directory,
    found: FoundDocs,
    { format, parts }: RowsShown,
    compressed: boolean,
    running: RunningExport,
  ): BodyStream {
    return {
      send: async (response) => {
        using _running = running;
        const rows = data.rows(found, format, parts);
        const cut = await sendRows({
          response,
          rows,
          slices: this.#slices,
          compressed,
          pace: EXPORT_PACE,
          place: running.place,
          released: running.released,
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
