import { batchOf, type Batch, type Npis } from "./batch.ts";
import { callOf, type Call, type CallOptions, type Received } from "./call.ts";
import { InvalidNpiError } from "./errors.ts";
import { Export } from "./export.ts";
import { listOf, pageOf, type List } from "./list.ts";
import { isNpi } from "./npi.ts";
import type { Transport } from "./transport.ts";
import type {
  BatchParameters,
  ExportParameters,
  InterpretParameters,
  InterpretResponse,
  LookupParameters,
  LookupResponse,
  NearbyEntry,
  NearbyParameters,
  NearbyResponse,
  Provider,
  SearchEntry,
  SearchParameters,
  SearchResponse,
} from "./types.ts";

/** What a text means: an operation with its parameters. */
export type Interpretation = InterpretResponse["data"];

/** The registry's providers. */
export class Providers {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Looks up a provider. Rejects with an InvalidNpiError before any request if the number is not an NPI, and with a
   * NotFoundError if the registry has no record of it.
   */
  get(
    npi: string,
    parameters?: LookupParameters,
    options?: CallOptions,
  ): Call<Provider> {
    return callOf(
      isNpi(npi)
        ? this.#data<LookupResponse>(npi, parameters, options)
        : Promise.reject(new InvalidNpiError(npi)),
    );
  }

  /** Finds providers by name, place, and specialty. */
  search(
    parameters: SearchParameters,
    options?: CallOptions,
  ): List<SearchEntry, SearchResponse["meta"]> {
    const path = "/v1/providers/search";
    return numbered(this.#transport, path, parameters, options);
  }

  /** Finds providers by distance, nearest first. */
  nearby(
    parameters: NearbyParameters,
    options?: CallOptions,
  ): List<NearbyEntry, NearbyResponse["meta"]> {
    const path = "/v1/providers/nearby";
    return numbered(this.#transport, path, parameters, options);
  }

  /**
   * Gives a verdict on each of any number of NPIs, in their order, and the records of those that exist. Each NPI that is
   * looked up counts as one request; numbers with a typo are free, and get suggestions.
   */
  batch(
    npis: Npis,
    parameters?: Omit<BatchParameters, "npi">,
    options?: CallOptions,
  ): Batch {
    return batchOf(this.#transport, npis, parameters, options);
  }

  /** Reads all results of a search, which counts as one request per 100 rows. */
  export(parameters: ExportParameters, options?: CallOptions): Export {
    return new Export(this.#transport, parameters, options);
  }

  /** Turns what a user typed into one operation with its parameters. */
  interpret(
    q: string,
    parameters?: Omit<InterpretParameters, "q">,
    options?: CallOptions,
  ): Call<Interpretation> {
    return callOf(
      this.#data<InterpretResponse>("interpret", { ...parameters, q }, options),
    );
  }

  #data<Envelope extends { readonly data: unknown }>(
    name: string,
    query: object = {},
    options?: CallOptions,
  ): Promise<Received<Envelope["data"]>> {
    const path = `/v1/providers/${name}`;
    return this.#transport.data<Envelope>({ path, query }, options);
  }
}

/** What the meta of a numbered page has. */
interface Numbered {
  readonly count: number;
  readonly limit: number;
  readonly page: number;
  readonly total?: number;
}

/** Makes the list of a path whose pages have numbers. All pages are from the snapshot of the first. */
export function numbered<Row, Meta extends Numbered>(
  transport: Transport,
  path: string,
  parameters: object,
  options?: CallOptions,
): List<Row, Meta> {
  return listOf((previous) => {
    if (previous !== null && !hasNext(previous.meta)) return null;
    const query =
      previous === null
        ? parameters
        : {
            ...parameters,
            page: previous.meta.page + 1,
            snapshot: previous.snapshot,
          };
    return transport
      .json<{ data: Row[]; meta: Meta }>({ path, query }, options)
      .then(pageOf);
  });
}

/** True if there is a page after this one; without a total, after a full page there may be. */
function hasNext({ count, limit, page, total }: Numbered): boolean {
  return total === undefined ? count === limit : page * limit < total;
}
