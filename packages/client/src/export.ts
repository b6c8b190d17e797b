import { callOf, type Call, type CallOptions } from "./call.ts";
import { IncompleteError, UnexpectedResponseError } from "./errors.ts";
import { chunksOf, tooLong } from "./chunks.ts";
import { streaming, type Meter } from "./stream.ts";
import type { Request, Transport } from "./transport.ts";
import type { ExportParameters, Provider } from "./types.ts";

const QUOTE = 0x22;
const LINE_END = 0x0a;
/** The most characters of a record. */
const MAX_RECORD = 2 ** 24;

/** All results of a search. Nothing is requested, and nothing counted, before you read it in one of these ways. */
export class Export implements AsyncIterable<Provider> {
  readonly #transport: Transport;
  readonly #parameters: ExportParameters;
  readonly #options: CallOptions | undefined;

  constructor(
    transport: Transport,
    parameters: ExportParameters,
    options: CallOptions | undefined,
  ) {
    this.#transport = transport;
    this.#parameters = parameters;
    this.#options = options;
  }

  /**
   * Iterates over the records. Throws an IncompleteError or a ConnectionError if the export is cut: then the records
   * until there are only a part. Leaving the loop early ends the export.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Provider, void, undefined> {
    const stream = await this.#bytes({ ...this.#parameters, format: "ndjson" });
    const decoder = new TextDecoder();
    let rest = "";
    for await (const bytes of chunksOf(stream)) {
      const lines = decoder.decode(bytes, { stream: true }).split("\n");
      lines[0] = rest + (lines[0] ?? "");
      rest = lines.pop() ?? "";
      if (rest.length > MAX_RECORD) throw tooLong("record", MAX_RECORD);
      for (const line of lines) yield JSON.parse(line);
    }
  }

  /** Requests the file in its `format`, as a stream of bytes that fails if the export is cut. */
  stream(): Call<ReadableStream<Uint8Array>> {
    return this.#bytes(this.#parameters);
  }

  #bytes(parameters: ExportParameters): Call<ReadableStream<Uint8Array>> {
    return callOf(
      this.#transport.send(
        requestOf(parameters),
        this.#options,
        streaming((response) => new RowMeter(response)),
      ),
    );
  }
}

function requestOf(query: ExportParameters): Request {
  return {
    path: "/v1/providers/export",
    query,
    headers: { accept: "*/*" },
    isCostly: true,
  };
}

function totalOf({ headers }: Response): number {
  const total = headers.get("x-total-count") ?? "";
  if (/^\d+$/.test(total)) return Number(total);
  throw new UnexpectedResponseError(
    "The export has no X-Total-Count header, without which a cut one could pass for complete. A proxy may remove it.",
  );
}

/** Counts rows: the line ends outside of quotes. A cut connection is an error of `fetch` only where no proxy hides it. */
class RowMeter implements Meter {
  readonly #total: number;
  readonly #isTable: boolean;
  #isQuoted = false;
  #last = LINE_END;
  #rows: number;

  constructor(response: Response) {
    this.#total = totalOf(response);
    this.#isTable = /^text\/csv\b/.test(
      response.headers.get("content-type") ?? "",
    );
    // The header of a table is no row.
    this.#rows = this.#isTable ? -1 : 0;
  }

  take(bytes: Uint8Array): void {
    if (this.#isTable) this.#takeTable(bytes);
    else
      for (
        let at = bytes.indexOf(LINE_END);
        at >= 0;
        at = bytes.indexOf(LINE_END, at + 1)
      )
        this.#rows++;
    this.#last = bytes.at(-1) ?? this.#last;
  }

  #takeTable(bytes: Uint8Array): void {
    let isQuoted = this.#isQuoted;
    let rows = 0;
    for (let at = 0; at < bytes.length; at++)
      if (bytes[at] === QUOTE) isQuoted = !isQuoted;
      else if (bytes[at] === LINE_END && !isQuoted) rows++;
    this.#isQuoted = isQuoted;
    this.#rows += rows;
  }

  finish(): void {
    if (this.#rows !== this.#total || this.#last !== LINE_END)
      throw new IncompleteError(
        `The export was cut: it has ${Math.max(0, this.#rows)} of ${this.#total} rows. Send it again, with the parameter snapshot to get the same rows.`,
      );
  }
}
