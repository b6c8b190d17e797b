/** The parts of `/openapi.json` (OpenAPI 3.1) that the reference shows. */
export interface OpenApi {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly {
    readonly name: string;
    readonly description: string;
  }[];
  readonly paths: Readonly<
    Record<string, { readonly get?: DescribedOperation }>
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

interface DescribedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  /** Empty if no key is needed. */
  readonly security?: readonly unknown[];
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

/** An operation of the API. */
export interface Operation extends Omit<DescribedOperation, "responses"> {
  readonly path: string;
  readonly needsKey: boolean;
  /** The media types of its answer. */
  readonly types: readonly string[];
  readonly responses: readonly {
    readonly status: number;
    readonly response: Response;
  }[];
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<
    Record<
      string,
      {
        readonly schema?: Schema | Reference;
        readonly examples?: Readonly<
          Record<string, { readonly value: unknown }>
        >;
      }
    >
  >;
}

export interface Reference {
  readonly $ref: string;
}

export interface Schema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly (string | null)[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly default?: string | number;
  readonly examples?: readonly (string | number)[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema | Reference>>;
  readonly items?: Schema | Reference;
  readonly anyOf?: readonly (Schema | Reference)[];
}

/** Lists all operations, in the document's order. */
export function operationsOf(document: OpenApi): Operation[] {
  return Object.entries(document.paths).flatMap(([path, { get }]) =>
    get === undefined ? [] : [operationOf(document, path, get)],
  );
}

function operationOf(
  { components }: OpenApi,
  path: string,
  described: DescribedOperation,
): Operation {
  const responses = Object.entries(described.responses).map(
    ([status, response]) => ({
      status: Number(status),
      response:
        "$ref" in response ? resolve(components.responses, response) : response,
    }),
  );
  return {
    ...described,
    path,
    needsKey: described.security?.length !== 0,
    types: responses.flatMap(({ response, status }) =>
      status === 200 ? Object.keys(response.content ?? {}) : [],
    ),
    responses,
  };
}

/** True if a response of one of these media types is text. */
export function isReadable(types: readonly string[]): boolean {
  return types.some((type) => /^text\/|json/.test(type));
}

/** Resolves a `$ref`. */
export function schemaOf(
  { components }: OpenApi,
  value: Schema | Reference,
): Schema {
  return "$ref" in value ? resolve(components.schemas, value) : value;
}

function resolve<T>(
  components: Readonly<Record<string, T>>,
  { $ref }: Reference,
): T {
  const value = components[$ref.slice($ref.lastIndexOf("/") + 1)];
  if (value === undefined)
    throw new Error(`The OpenAPI document lacks ${$ref}.`);
  return value;
}

/** The names of parameters that take an NPI, or a list of them. */
const NPI_NAMES: ReadonlySet<string> = new Set(["npi", "number"]);

/** Parameters without which there is nothing to find, although none of them is always required. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  "/v1/providers": ["npi"],
  "/v1/providers/nearby": ["zip"],
  "/v1/providers/interpret": ["q"],
  "/api/": ["version", "number"],
};

/**
 * Chooses the first values of an operation's fields, so that the first try finds something: the example of each
 * parameter that it needs. `npi` is one in the data, if known; that of the OpenAPI document is only in a demo.
 */
export function firstValues(
  path: string,
  parameters: readonly Parameter[],
  npi: string | null,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    parameters.map((each) => {
      const { name, required = false } = each;
      const isNeeded = required || (NEEDED[path]?.includes(name) ?? false);
      const example =
        npi !== null && NPI_NAMES.has(name) ? npi : exampleOf(each);
      return [name, isNeeded ? example : ""];
    }),
  );
}

/** Returns the text of a parameter's example, or "". */
export function exampleOf({ schema }: Parameter): string {
  return String(schema.examples?.[0] ?? "");
}
