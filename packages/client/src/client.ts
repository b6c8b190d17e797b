import { callOf, type Call, type CallOptions } from "./call.ts";
import { changesOf, type Changes } from "./changes.ts";
import { Files } from "./files.ts";
import type { List } from "./list.ts";
import { numbered, Providers } from "./providers.ts";
import { Transport, type ClientOptions } from "./transport.ts";
import type {
  ChangesParameters,
  StatusResponse,
  TaxonomiesParameters,
  TaxonomiesResponse,
  TaxonomyEntry,
  TaxonomyParameters,
  TaxonomyResponse,
} from "./types.ts";

/** The state of the service's data. */
export type Status = StatusResponse["data"];

/** A client of a Provider Directory Service. */
export class ProviderDirectory {
  readonly providers: Providers;
  readonly taxonomies: Taxonomies;
  readonly files: Files;
  readonly #transport: Transport;

  /** Makes a client. Throws a TypeError if `baseUrl` is no address of a service, or `apiKey` cannot be a key. */
  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
    this.providers = new Providers(this.#transport);
    this.taxonomies = new Taxonomies(this.#transport);
    this.files = new Files(this.#transport);
  }

  /** Lists what imports changed, from a date or a cursor on, for a copy that you keep. */
  changes(parameters: ChangesParameters = {}, options?: CallOptions): Changes {
    return changesOf(this.#transport, parameters, options);
  }

  /** Returns the date and age of the data, and how many records it has. It needs no key, and is free. */
  status(options?: CallOptions): Call<Status> {
    const request = { path: "/v1/status", isPublic: true };
    return callOf(this.#transport.data<StatusResponse>(request, options));
  }
}

/** Specialties, with the number of providers that have each. */
export class Taxonomies {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists taxonomies; `q` finds them by name as a user types. */
  list(
    parameters: TaxonomiesParameters = {},
    options?: CallOptions,
  ): List<TaxonomyEntry, TaxonomiesResponse["meta"]> {
    return numbered(this.#transport, "/v1/taxonomies", parameters, options);
  }

  /** Looks up a taxonomy by its code. */
  get(
    code: string,
    query: TaxonomyParameters = {},
    options?: CallOptions,
  ): Call<TaxonomyEntry> {
    const path = `/v1/taxonomies/${encodeURIComponent(code)}`;
    return callOf(
      this.#transport.data<TaxonomyResponse>({ path, query }, options),
    );
  }
}
