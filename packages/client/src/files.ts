import { callOf, type Call, type CallOptions, type Received } from "./call.ts";
import { IncompleteError, UnexpectedResponseError } from "./errors.ts";
import { streaming, type Meter } from "./stream.ts";
import type { Transport } from "./transport.ts";
import type { FilesResponse, SnapshotFile } from "./types.ts";

/** Where a file is: an entry of the list, or its snapshot and name. */
export type FileAddress =
  | Pick<SnapshotFile, "url">
  | { readonly snapshot: string; readonly name: string };

/** The part of a file to read: from byte `start` to before byte `end`, as in `Blob.slice`. */
export interface FileRange {
  readonly start: number;
  /** Default: the end of the file. */
  readonly end?: number | undefined;
}

/** Options of reading a file. */
export interface FileOptions extends CallOptions {
  readonly range?: FileRange | undefined;
}

/** The files that the service offers: Parquet, NDJSON, and a manifest. */
export class Files {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists the files of the served snapshot, or of another one. */
  list(
    parameters: { readonly snapshot?: string | undefined } = {},
    options?: CallOptions,
  ): Call<FilesResponse> {
    return callOf(
      this.#transport.json({ path: "/v1/files", query: parameters }, options),
    );
  }

  /** Reads a file, or a range of it, as a stream of bytes that fails if it is cut. */
  get(
    file: FileAddress,
    options: FileOptions = {},
  ): Call<ReadableStream<Uint8Array>> {
    return callOf(this.#read(file, options));
  }

  /** Reads a file, or a range of it, into memory. */
  async bytes(file: FileAddress, options?: FileOptions): Promise<Uint8Array> {
    const stream = await this.get(file, options);
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  async #read(
    file: FileAddress,
    { range, ...options }: FileOptions,
  ): Promise<Received<ReadableStream<Uint8Array>>> {
    const path = pathOf(file);
    const headers = {
      accept: "*/*",
      ...(range === undefined ? {} : { range: rangeHeader(range) }),
    };
    return this.#transport.send(
      { path, headers },
      options,
      streaming((response) => {
        if (range !== undefined) checkRange(response, range);
        return new LengthMeter(response);
      }),
    );
  }
}

function pathOf(file: FileAddress): string {
  const path =
    "url" in file ? file.url : `/v1/files/${file.snapshot}/${file.name}`;
  // The key goes to this service only, whatever the list says.
  if (/^\/v1\/files\/\w[\w.-]*\/\w[\w.-]*$/.test(path)) return path;
  throw new TypeError("This is not the address of one of the service's files.");
}

function rangeHeader({ end, start }: FileRange): string {
  if (
    !isPosition(start) ||
    (end !== undefined && !(isPosition(end) && end > start))
  )
    throw new RangeError(
      "A range needs a start of at least 0, and an end above it.",
    );
  return `bytes=${start}-${end === undefined ? "" : end - 1}`;
}

function isPosition(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** Fails unless the response is the range that was asked for, as far as the file goes. */
function checkRange(
  { headers, status }: Response,
  { end = Infinity, start }: FileRange,
): void {
  const given = headers.get("content-range");
  const [, first, last, size] =
    /^bytes (\d+)-(\d+)\/(\d+)$/.exec(given ?? "") ?? [];
  const isRange =
    Number(first) === start && Number(last) === Math.min(end, Number(size)) - 1;
  // Scripts of other sites may not be shown the header.
  if (status !== 206 || (given !== null && !isRange))
    throw new UnexpectedResponseError(
      "The response is not the range that was requested. A proxy may not support ranges.",
    );
}

/** Counts bytes, where the response says how many there are and they are as sent. */
class LengthMeter implements Meter {
  readonly #expected: number | null;
  #bytes = 0;

  constructor({ headers }: Response) {
    const length = headers.get("content-length");
    this.#expected =
      length === null || headers.has("content-encoding")
        ? null
        : Number(length);
  }

  take({ length }: Uint8Array): void {
    this.#bytes += length;
  }

  finish(): void {
    // More is no fault: scripts of other sites aren't shown whether a proxy compressed it.
    if (this.#expected !== null && this.#bytes < this.#expected)
      throw new IncompleteError(
        `The file was cut: ${this.#bytes} of ${this.#expected} bytes came. Read it again.`,
      );
  }
}
