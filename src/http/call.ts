import type {
  IncomingHttpHeaders,
  IncomingMessage,
  ServerResponse,
} from "node:http";
import type { JsonText } from "../search/render/json-text.ts";
import { UNLIMITED, type Caller } from "./access/caller.ts";
import type { Answered, KeyRefusal } from "./pipeline/answer-counts.ts";
import type { Failure } from "./pipeline/failure.ts";
import { JSON_TYPE, type HeaderList } from "./pipeline/headers.ts";

/** A response, before it is sent. */
export interface Reply {
  readonly status: number;
  /** Its headers, in addition to those of every response. One with the name of those replaces them. */
  readonly headers: HeaderList;
  readonly body: Body;
  /** True if only this service's own pages may read it by a script. */
  readonly isForOwnPages?: boolean;
}

/** A body: a text, bytes, bytes that stay valid until something else is rendered, a stream, or none. */
export type Body = string | Buffer | JsonText | BodyStream | null;

/** A body that is made while it is sent. */
export interface BodyStream {
  /** Sends it after the head, and resolves once it has ended or is cut; with facts for the log. Never rejects. */
  send(response: ServerResponse): Promise<StreamFacts>;
}

/** True if a body is made while it is sent. */
export function isStream(body: Body): body is BodyStream {
  return body !== null && typeof body === "object" && "send" in body;
}

/** The facts that are logged about a stream only. */
export interface StreamFacts {
  readonly rows?: number | undefined;
  /** The reason why it ended before the last row. */
  readonly cut?: string | undefined;
}

/** A request to the data, from HTTP or from a command. */
export interface DataCall {
  /** The request's id; "" for a command. */
  readonly id: string;
  /** The request target: a path with its query. */
  readonly url: string;
  /** The route's path; "" for a command. */
  readonly path: string;
  /** The path's parameters. */
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly caller: Caller;
  /** The number of responses that are reserved for it. */
  reserved: number;
  /** True once no one waits for the response. */
  readonly isGone: boolean;
  /** The response of HTTP; null for a command. */
  readonly response: ServerResponse | null;
  /** Sends the response now: what it was rendered to may change at the next turn. Resolves once a stream has ended. */
  send(reply: Reply): void | Promise<void>;
}

/** Checks who calls, sets `call.caller`, and takes a token of the burst limit. Returns why the request is refused. */
export type Admit = (call: Call) => Failure | null | Promise<Failure | null>;

/** Makes the response to a request, or throws a `Refusal`. Null if it is sent already. */
export type Handler = (call: Call) => Reply | Promise<Reply | null>;

/** A route of this installation, ready to answer. */
export interface ServedRoute {
  /** Null for unknown paths. */
  readonly path: string | null;
  /** The operation or kind of route that its responses count as. */
  readonly counted: Answered;
  /** True if its requests wait for their turn. */
  readonly isQueued: boolean;
  /** True if only this service's own pages may read its responses, and no cache may store them. */
  readonly isForOwnPages: boolean;
  /** True if its bodies are compressed for clients that accept it. */
  readonly compress: boolean;
  readonly admit: Admit;
  /** Reads the body; null if it is ignored. */
  readonly readBody:
    ((call: Call) => Promise<string | Buffer | undefined | Failure>) | null;
  readonly handle: Handler;
}

/** The route of a request, and its path's parameters. */
export interface RouteMatch {
  readonly route: ServedRoute;
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** A request of HTTP on its way, with all that is known of it so far. */
export class Call implements DataCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  readonly match: RouteMatch;
  /** Whose request it is, and what it may take; known once it is admitted. */
  caller: Caller = UNLIMITED;
  reserved = 0;
  /** The reason why the key was rejected, for logs and metrics. */
  keyRefusal: KeyRefusal | null = null;
  /** The body, on routes that read it. */
  body: string | Buffer | undefined;
  /** The time when its turn came, by `performance.now()`. */
  receivedMs = 0;
  /** True if it waited too long for its turn. */
  isLate = false;
  /** The status of the response; 0 until it is sent. */
  status = 0;
  facts: StreamFacts = {};
  readonly #send: (call: Call, reply: Reply) => void | Promise<void>;
  readonly #addressOf: (request: IncomingMessage) => string;
  #ip: string | null = null;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    id: string,
    match: RouteMatch,
    {
      addressOf,
      send,
    }: {
      readonly addressOf: (request: IncomingMessage) => string;
      readonly send: (call: Call, reply: Reply) => void | Promise<void>;
    },
  ) {
    this.request = request;
    this.response = response;
    this.id = id;
    this.match = match;
    this.#addressOf = addressOf;
    this.#send = send;
  }

  get url(): string {
    return this.request.url ?? "";
  }

  get path(): string {
    return this.match.route.path ?? "";
  }

  get method(): string {
    return this.request.method ?? "";
  }

  get headers(): IncomingHttpHeaders {
    return this.request.headers;
  }

  get params(): RouteMatch["params"] {
    return this.match.params;
  }

  /** The client's address, behind the proxies that the operator trusts. */
  get ip(): string {
    return (this.#ip ??= this.#addressOf(this.request));
  }

  get isGone(): boolean {
    return this.response.destroyed;
  }

  send(reply: Reply): void | Promise<void> {
    return this.#send(this, reply);
  }
}

/** Makes a reply of JSON. */
export function json(
  value: unknown,
  headers: HeaderList = [],
  status = 200,
): Reply {
  return content(JSON.stringify(value), JSON_TYPE, headers, status);
}

/** Makes a reply of a media type. */
export function content(
  body: Body,
  contentType: string,
  headers: HeaderList = [],
  status = 200,
): Reply {
  return { status, headers: [...headers, "content-type", contentType], body };
}

/** Makes a reply without a body. */
export function bodiless(status: number, headers: HeaderList = []): Reply {
  return { status, headers, body: null };
}

/** Makes a redirect. */
export function redirect(to: string, headers: HeaderList = []): Reply {
  return bodiless(302, [...headers, "location", to]);
}
