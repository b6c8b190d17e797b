/** The ways to ask a service: `/v1` with fetch, both clients, and the tools for assistants. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import {
  Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import {
  ApiError,
  InvalidNpiError,
  ProviderDirectory,
} from "../../../packages/client/src/index.ts";

/** The parameters of a request. */
export type Parameters = Readonly<Record<string, string | number | undefined>>;

/** A question about more than numbers. */
export interface Question {
  readonly ask:
    "search" | "nearby" | "interpret" | "taxonomies" | "changes" | "export";
  readonly parameters: Parameters;
  /** True if all pages are read. */
  readonly walk: boolean;
}

/** The record of one number, or an entry for each of many. */
export type Numbers =
  | { readonly ask: "record"; readonly npi: string }
  | { readonly ask: "batch"; readonly npis: readonly string[] };

/** A page or a thing, all rows, or why there is none. */
export type Outcome =
  | { readonly data: unknown; readonly meta?: unknown }
  | { readonly rows: readonly unknown[] }
  | { readonly refused: unknown };

/** A way to ask. */
export interface Door {
  answer(question: Question | Numbers): Promise<Outcome>;
}

export interface Place {
  readonly url: string;
  readonly key: string;
}

/** A body of the API. */
interface Body {
  readonly data: unknown[];
  readonly meta: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: string; readonly message: string };
}

const PATHS = {
  search: "/v1/providers/search",
  nearby: "/v1/providers/nearby",
  interpret: "/v1/providers/interpret",
  taxonomies: "/v1/taxonomies",
  changes: "/v1/changes",
  export: "/v1/providers/export",
};
const CLIENTS = fileURLToPath(
  new URL("../../../clients/python", import.meta.url),
);
const PROGRAM = fileURLToPath(new URL("python-door.py", import.meta.url));

/** Asks with fetch. */
export class RawDoor implements Door {
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  async answer(question: Question | Numbers): Promise<Outcome> {
    if (question.ask === "record")
      return this.#page(`/v1/providers/${encodeURIComponent(question.npi)}`, {
        include: "all",
      });
    if (question.ask === "batch") {
      const asked = { npi: question.npis.join(","), include: "all" };
      const found = await this.#page("/v1/providers", asked);
      return "data" in found && Array.isArray(found.data)
        ? { rows: found.data }
        : found;
    }
    const { ask, parameters, walk } = question;
    if (ask === "export") {
      const { status, text } = await this.get(PATHS.export, parameters);
      if (status !== 200) return { refused: refusalOf(status, text) };
      return {
        rows: text
          .split("\n")
          .slice(0, -1)
          .map((line): unknown => JSON.parse(line)),
      };
    }
    if (!walk) {
      const found = await this.#page(PATHS[ask], parameters);
      return ask === "interpret" && "data" in found
        ? { data: found.data }
        : found;
    }
    const rows: unknown[] = [];
    let query: Parameters | null = parameters;
    for (let page = 2; query !== null; page++) {
      const { status, text } = await this.get(PATHS[ask], query);
      if (status !== 200) return { refused: refusalOf(status, text) };
      const { data, meta }: Body = JSON.parse(text);
      rows.push(...data);
      const { has_more: more, limit, next_cursor: next, total } = meta;
      const isLast =
        total === undefined
          ? data.length !== limit
          : rows.length >= Number(total);
      if (ask === "changes")
        query =
          more === true
            ? { ...parameters, since: undefined, cursor: String(next) }
            : null;
      else query = isLast ? null : { ...parameters, page };
    }
    return { rows };
  }

  /** Sends a request. */
  async get(path: string, parameters: Parameters = {}) {
    const { key, url } = this.#place;
    const pairs = Object.entries(parameters).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name, typeof value === "number" ? plainly(value) : value]],
    );
    const response = await fetch(
      `${url}${path}?${new URLSearchParams(pairs).toString()}`,
      { headers: { authorization: `Bearer ${key}` } },
    );
    return { status: response.status, text: await response.text() };
  }

  async #page(path: string, parameters: Parameters): Promise<Outcome> {
    const { status, text } = await this.get(path, parameters);
    if (status !== 200) return { refused: refusalOf(status, text) };
    const { data, meta }: Body = JSON.parse(text);
    return { data, meta };
  }
}

function refusalOf(status: number, text: string): object {
  const { error }: { error: Readonly<Record<string, unknown>> } =
    JSON.parse(text);
  const { code, details = [], message, param = null } = error;
  return { status, code, param, message, details };
}

/** Writes a number as programs have to: without an exponent. */
function plainly(value: number): string {
  const digits = { maximumSignificantDigits: 17, useGrouping: false };
  return value.toLocaleString("en-US", digits);
}

/** Asks with the TypeScript client. */
export class ClientDoor implements Door {
  readonly #client: ProviderDirectory;

  constructor({ key, url }: Place) {
    const options = { baseUrl: url, apiKey: key, maxRetries: 0 };
    this.#client = new ProviderDirectory(options);
  }

  async answer(question: Question | Numbers): Promise<Outcome> {
    try {
      return await this.#ask(question);
    } catch (error) {
      if (error instanceof InvalidNpiError) return { refused: "no NPI" };
      if (!(error instanceof ApiError)) throw error;
      const { code, details, message, param, status } = error;
      return { refused: { status, code, param, message, details } };
    }
  }

  /** Reads a file of the service. */
  async bytes(name: string): Promise<Uint8Array> {
    const { data } = await this.#client.files.list();
    const file = data.find((each) => each.name === name);
    assert.ok(file !== undefined);
    return this.#client.files.bytes(file);
  }

  async #ask(question: Question | Numbers): Promise<Outcome> {
    const { changes, providers, taxonomies } = bound(this.#client);
    if (question.ask === "record")
      return { data: await providers.get(question.npi, { include: ["all"] }) };
    if (question.ask === "batch") {
      const batch = providers.batch(question.npis, { include: ["all"] });
      return { rows: await batch.toArray() };
    }
    const { ask, parameters, walk } = question;
    const text = JSON.stringify(parameters);
    if (ask === "export") {
      const rows: unknown[] = [];
      for await (const row of providers.export(JSON.parse(text)))
        rows.push(row);
      return { rows };
    }
    if (ask === "interpret")
      return { data: await providers.interpret(String(parameters["q"])) };
    const list = {
      search: () => providers.search(JSON.parse(text)),
      nearby: () => providers.nearby(JSON.parse(text)),
      taxonomies: () => taxonomies.list(JSON.parse(text)),
      changes: () => changes(JSON.parse(text)),
    }[ask]();
    if (walk) return { rows: await list.toArray() };
    const { data, meta } = await list;
    return { data, meta };
  }
}

function bound(client: ProviderDirectory) {
  const { providers, taxonomies } = client;
  const changes: ProviderDirectory["changes"] = (...given) =>
    client.changes(...given);
  return { providers, taxonomies, changes };
}

/** Asks with the Python client, in one process, in turn. */
export class PythonDoor implements Door, AsyncDisposable {
  readonly #child;
  readonly #lines;
  #errors = "";

  constructor({ key, url }: Place) {
    this.#child = spawn("python3", [PROGRAM], {
      stdio: ["pipe", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"],
        PYTHONPATH: CLIENTS,
        PYTHONDONTWRITEBYTECODE: "1",
        PROVIDER_DIRECTORY_URL: url,
        PROVIDER_DIRECTORY_KEY: key,
      },
    });
    this.#child.stderr.on("data", (text: Buffer) => {
      this.#errors += text.toString();
    });
    this.#lines = createInterface({ input: this.#child.stdout })[
      Symbol.asyncIterator
    ]();
  }

  answer(question: Question | Numbers): Promise<Outcome> {
    return this.#ask(question);
  }

  /** Downloads a file to a folder, and returns its path. */
  async download(name: string, folder: string): Promise<string> {
    const found = await this.#ask({ ask: "download", name, folder });
    assert.ok("data" in found && typeof found.data === "string");
    return found.data;
  }

  async #ask(question: object): Promise<Outcome> {
    this.#child.stdin.write(`${JSON.stringify(question)}\n`);
    const { done, value } = await this.#lines.next();
    assert.ok(done !== true, this.#errors);
    const outcome: Outcome = JSON.parse(value);
    return outcome;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#child, "close");
    this.#child.stdin.end();
    await closed;
  }
}

/** A result of a tool. */
export interface ToolResult {
  readonly isError: boolean;
  readonly text: string;
  readonly rows: readonly unknown[];
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Asks as an assistant's program, with the official client. */
export class AssistantDoor implements AsyncDisposable {
  readonly #client = new Client({ name: "test", version: "1" });

  static async connect({ key, url }: Place): Promise<AssistantDoor> {
    const door = new AssistantDoor();
    await door.#client.connect(
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${key}` } },
      }),
    );
    return door;
  }

  /** Calls a tool, and then what each result names as the next, until there are as many rows. */
  async call(
    tool: string,
    given: Readonly<Record<string, unknown>>,
    most = Infinity,
  ): Promise<ToolResult> {
    const rows: unknown[] = [];
    let next: { tool: string; arguments: Record<string, unknown> } | undefined =
      { tool, arguments: { ...given } };
    let first: ToolResult | null = null;
    while (next !== undefined && (first === null || rows.length < most)) {
      const result = await this.#client.callTool({
        name: next.tool,
        arguments: next.arguments,
      });
      const [content] = result.content;
      const text = content?.type === "text" ? content.text : "";
      const structured = JSON.stringify(result.structuredContent ?? {});
      const {
        next: following,
        results = [],
        ...facts
      } = JSON.parse(structured);
      rows.push(...results);
      first ??= { isError: result.isError === true, text, rows, facts };
      next = following;
    }
    assert.ok(first !== null);
    return first;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#client.close();
  }
}
