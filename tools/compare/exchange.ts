/** Sends one request to a program and reads the response as bytes. */
import { Agent, request as send } from "node:http";
import { connect } from "node:net";

/** A request, in a form that two programs get alike. */
export interface Request {
  /** What it is about, for reports and accepted differences: `search: page out of range`. */
  readonly name: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Closes the connection after that many bytes of the response's body. */
  readonly breakOffAfter?: number;
}

/** Bytes that are sent as they are, such as what the HTTP parser refuses. */
export interface RawRequest {
  readonly name: string;
  readonly bytes: string;
  /** The headers in them that identify the caller. */
  readonly headers: Readonly<Record<string, string>>;
  /** True if the client says that it sends nothing more. */
  readonly isHalfClosed?: boolean;
}

export interface Response {
  readonly status: number;
  /** `name: value` lines, sorted by name; without `date`, which Node takes from the real clock. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

const IGNORED = new Set(["date"]);

/** Sends requests to one program over one connection, one after another. */
export class Client implements Disposable {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(port: number) {
    this.#port = port;
  }

  send({
    body,
    breakOffAfter,
    headers,
    method,
    target,
  }: Request): Promise<Response> {
    return new Promise((resolve, reject) => {
      const sent = send(
        {
          port: this.#port,
          host: "127.0.0.1",
          agent: this.#agent,
          method,
          path: target,
          headers: {
            host: "directory.example",
            // Node adds it only to methods that usually have a body.
            ...(body === undefined
              ? {}
              : { "content-length": String(Buffer.byteLength(body)) }),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          const end = () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: headerLines(response.rawHeaders),
              body: Buffer.concat(chunks).subarray(0, breakOffAfter),
            });
          let left = breakOffAfter ?? Infinity;
          const read = (chunk: Buffer) => {
            chunks.push(chunk);
            left -= chunk.length;
            if (left > 0) return;
            response.destroy();
            end();
          };
          if (left === 0) read(Buffer.alloc(0));
          else response.on("data", read);
          response.once("error", reject);
          response.once("end", end);
        },
      );
      sent.once("error", reject);
      sent.end(body);
    });
  }

  /** Sends bytes on a new connection and reads responses until it is closed. */
  sendRaw({ bytes, isHalfClosed = false }: RawRequest): Promise<Response[]> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const socket = connect({
        port: this.#port,
        host: "127.0.0.1",
        allowHalfOpen: isHalfClosed,
      });
      socket.once("error", reject);
      socket.on("data", (chunk: Buffer) => chunks.push(chunk));
      socket.once("close", () => resolve(parsed(Buffer.concat(chunks))));
      socket.write(Buffer.from(bytes, "latin1"));
      if (isHalfClosed) socket.end();
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

function headerLines(raw: readonly string[]): string[] {
  const lines: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    const name = (raw[i] ?? "").toLowerCase();
    if (!IGNORED.has(name)) lines.push(`${name}: ${raw[i + 1] ?? ""}`);
  }
  return lines.sort();
}

/** The responses of a connection; one without a length ends with it. */
function parsed(bytes: Buffer): Response[] {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return [{ status: 0, headers: [], body: bytes }];
  const [first = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const pairs = lines.flatMap((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const headers = headerLines(pairs);
  const from = end + 4;
  const [, length = bytes.length - from] =
    headers.join("\n").match(/^content-length: (\d+)$/m) ?? [];
  const body = bytes.subarray(from, from + Number(length));
  const response = { status: Number(first.split(" ")[1]), headers, body };
  const rest = bytes.subarray(from + body.length);
  return rest.length === 0 ? [response] : [response, ...parsed(rest)];
}
