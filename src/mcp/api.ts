/** The service's API under `/v1`, as tools use it: of this process, or of another one over HTTP. */
export interface Api {
  /** The service's URL, for links; null if it isn't known. */
  readonly base: string | null;
  /** Sends a GET request. `target` is a path with its query. Errors are answers too. */
  get(target: string): Promise<ApiAnswer>;
}

/** An answer of the API. */
export interface ApiAnswer {
  readonly status: number;
  /** The snapshot that it comes from; null if from none. */
  readonly snapshot: string | null;
  /** The body, as JSON. */
  readonly text: string;
}

/** The values of parameters, as tools take them. */
export type Parameters = Readonly<Record<string, Value>>;

/** A value of JSON whose text is that of a parameter, or none. */
export type Value =
  string | number | boolean | null | undefined | readonly string[];

/** A body of the API, parsed. */
export interface Answer<Body> {
  readonly body: Body;
  readonly snapshot: string | null;
}

/** Why the API refused a request, for the assistant. */
export interface Refused {
  readonly refused: string;
}

const FIRST_ERROR = 400;
/** The most digits after the point that a number can be written with. */
const MAX_DIGITS = 100;

/** True if the API refused a request. */
export function isRefused(outcome: object): outcome is Refused {
  return "refused" in outcome;
}

/** Sends a request with parameters; those that are undefined are left out, and lists joined by commas. */
export async function ask<Body>(
  api: Api,
  path: string,
  parameters: Parameters = {},
): Promise<Answer<Body> | Refused> {
  const { snapshot, status, text } = await api.get(path + queryOf(parameters));
  if (status < FIRST_ERROR) {
    // The route's schema is the shape of what it sends.
    const body: Body = JSON.parse(text);
    return { body, snapshot };
  }
  return { refused: sentencesOf(text, status) };
}

/** Writes parameters as a query, with its question mark; "" without any. */
export function queryOf(parameters: Parameters): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, plain(value)]],
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs).toString()}`;
}

/** Reads the code and the sentences of an error. */
function sentencesOf(text: string, status: number): string {
  const { code, details, message }: ApiError = errorIn(text) ?? {
    code: `HTTP ${status}`,
    message: "The service sent no error that can be read.",
  };
  const sentences = details?.map((detail) => detail.message) ?? [message];
  return `${code}: ${sentences.join(" ")}`;
}

interface ApiError {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly { readonly message: string }[];
}

function errorIn(text: string): ApiError | undefined {
  try {
    const body: { readonly error?: ApiError } = JSON.parse(text);
    return body.error;
  } catch {
    return undefined;
  }
}

/** Writes a value; a number without an exponent, which the API doesn't read. */
function plain(value: unknown): string {
  const text = String(value);
  const [digits = "", places] = text.split("e-");
  return typeof value === "number" && places !== undefined
    ? value.toFixed(Math.min(MAX_DIGITS, digits.length + Number(places)))
    : text;
}
