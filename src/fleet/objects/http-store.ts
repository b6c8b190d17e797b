import type { ProxyEnv } from "node:http";
import {
  HttpClient,
  type HttpResponse,
} from "../../update/http/http-client.ts";
import { request } from "../../update/http/request.ts";
import { RetryableError } from "../../update/http/retry.ts";
import { redactedUrl } from "../../update/http/source.ts";
import { UpdateError } from "../../update/update-error.ts";
import { FleetError } from "../fleet-error.ts";
import type { ObjectBytes, ObjectStore } from "./object-store.ts";

const PARTIAL = 206;
/** Missing, gone, and shorter than the requested range. */
const MISSING = [404, 410, 416];

/** A snapshot store on a web server, such as a mirror or a CDN. It can only be read. */
export class HttpStore implements ObjectStore {
  readonly name: string;
  readonly isReadOnly = true;
  readonly #base: URL;
  readonly #client: HttpClient;

  constructor(url: URL, proxy: ProxyEnv) {
    this.#base = new URL(url);
    if (!url.pathname.endsWith("/")) this.#base.pathname += "/";
    this.name = redactedUrl(this.#base);
    this.#client = new HttpClient({ proxy });
  }

  async read<Result>(
    key: string,
    from: number,
    signal: AbortSignal,
    use: (bytes: ObjectBytes) => Promise<Result>,
  ): Promise<Result | null> {
    const context = {
      client: this.#client,
      retryPolicy: { now: Date.now },
      signal,
    };
    const range = from === 0 ? {} : { range: `bytes=${from}-` };
    try {
      return await request(
        context,
        this.#urlOf(key),
        range,
        (response) =>
          MISSING.includes(response.status)
            ? Promise.resolve(null)
            : use({ start: startOf(response), body: response.body }),
        MISSING,
      );
    } catch (error) {
      if (error instanceof RetryableError)
        throw new FleetError(`${error.message}.`, { cause: error });
      if (error instanceof UpdateError)
        throw new FleetError(error.message, { cause: error });
      throw error;
    }
  }

  write(): Promise<never> {
    return this.#refuse();
  }

  list(): Promise<never> {
    return this.#refuse();
  }

  remove(): Promise<never> {
    return this.#refuse();
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }

  /** Keeps the query, which may have a signature. */
  #urlOf(key: string): URL {
    const url = new URL(key, this.#base);
    url.search = this.#base.search;
    return url;
  }

  #refuse(): Promise<never> {
    return Promise.reject(
      new FleetError(
        `The snapshot store ${this.name} can only be read. To publish, set SNAPSHOT_STORE to an s3: or file: URL.`,
      ),
    );
  }
}

function startOf({ headers, status }: HttpResponse): number {
  if (status !== PARTIAL) return 0;
  return Number(/^bytes (\d+)-/.exec(headers["content-range"] ?? "")?.[1]);
}
