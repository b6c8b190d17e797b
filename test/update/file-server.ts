/** A web server on loopback that serves files like the registry's, and fails on demand. */

import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { join } from "node:path";
import { PART } from "../../src/update/http/part-file.ts";

const POLL_MS = 5;
const TRICKLE_MS = 20;

export interface ServedFile {
  bytes: Uint8Array;
  etag?: string;
  lastModified?: string;
  /** Without it the whole file answers every request. */
  ranges?: boolean;
}

/** Answers one request in the place of the server. */
type Fault = (
  request: IncomingMessage,
  response: ServerResponse,
  server: FileServer,
) => void;

export class FileServer implements AsyncDisposable {
  readonly files = new Map<string, ServedFile>();
  /** Per path, what happens to the next requests. */
  readonly faults = new Map<string, Fault[]>();
  /** Each request so far: path, range, and condition. */
  readonly asked: {
    path: string;
    range: string | undefined;
    ifRange: string | undefined;
  }[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) =>
      this.#serve(request, response),
    );
  }

  static async start(): Promise<FileServer> {
    const server = new FileServer();
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  url(path: string): URL {
    const address = this.#server.address();
    if (address === null || typeof address === "string")
      throw new Error("The server does not listen.");
    return new URL(path, `http://127.0.0.1:${address.port}`);
  }

  /** Serves a page, or anything else that is text. */
  page(path: string, text: string): void {
    this.files.set(path, { bytes: Buffer.from(text) });
  }

  /** What an undisturbed server would answer with: the head, and the bytes that follow it. */
  begin(request: IncomingMessage, response: ServerResponse): Uint8Array {
    const file = this.files.get(pathOf(request));
    if (file === undefined) {
      response.writeHead(404);
      return Buffer.from("not here");
    }
    const { bytes, etag, lastModified, ranges = true } = file;
    if (etag !== undefined) response.setHeader("etag", etag);
    if (lastModified !== undefined)
      response.setHeader("last-modified", lastModified);
    const condition = request.headers["if-range"]?.toString();
    const isSame =
      condition === undefined || [etag, lastModified].includes(condition);
    const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1];
    if (!ranges || !isSame || range === undefined) {
      response.writeHead(200, { "content-length": bytes.length });
      return bytes;
    }
    const start = Number(range);
    response.writeHead(206, {
      "content-range": `bytes ${start}-${bytes.length - 1}/${bytes.length}`,
      "content-length": bytes.length - start,
    });
    return bytes.subarray(start);
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const path = pathOf(request);
    const { "if-range": ifRange, range } = request.headers;
    this.asked.push({ path, range, ifRange: ifRange?.toString() });
    const fault = this.faults.get(path)?.shift();
    if (fault === undefined) response.end(this.begin(request, response));
    else fault(request, response, this);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

/**
 * The connection ends after that many bytes of the answer, once they are in a part in `folder`: the client drops what
 * it has not read when the end comes.
 */
export function cutAfter(bytes: number, folder: string): Fault {
  return (request, response, server) => {
    const before = partIn(folder);
    const body = server.begin(request, response);
    const whole = server.files.get(pathOf(request))?.bytes.length ?? 0;
    const held = whole - body.length + bytes;
    response.write(body.subarray(0, bytes));
    const timer = setInterval(() => {
      const part = partIn(folder);
      if (part.size === held && part.changedMs !== before.changedMs)
        response.destroy();
    }, POLL_MS);
    response.on("close", () => clearInterval(timer));
  };
}

/** The part of an unfinished download somewhere in a folder. */
function partIn(folder: string): { size: number; changedMs: number } {
  const part = readdirSync(folder, { recursive: true, encoding: "utf8" }).find(
    (name) => name.endsWith(PART),
  );
  if (part === undefined) return { size: -1, changedMs: 0 };
  const { mtimeMs, size } = statSync(join(folder, part));
  return { size, changedMs: mtimeMs };
}

/** Stalls after this many bytes of the answer. */
export function stallAfter(bytes: number): Fault {
  return (request, response, server) => {
    response.write(server.begin(request, response).subarray(0, bytes));
  };
}

/** Never answers. */
export function silence(): void {}

/** Sends the answer in this many pieces, with pauses between them. */
export function slowly(pieces: number, pauseMs: number): Fault {
  return (request, response, server) => {
    const body = server.begin(request, response);
    const size = Math.ceil(body.length / pieces);
    let at = 0;
    const timer = setInterval(() => {
      response.write(body.subarray(at, at + size));
      at += size;
      if (at >= body.length) response.end();
    }, pauseMs);
    response.on("close", () => clearInterval(timer));
  };
}

/** Answers with a status and headers instead of the file. */
export function refuse(
  status: number,
  headers: Record<string, string> = {},
): Fault {
  return (_request, response) => {
    response.writeHead(status, headers).end("no");
  };
}

function pathOf(request: IncomingMessage): string {
  return decodeURIComponent(
    new URL(request.url ?? "/", "http://127.0.0.1").pathname,
  );
}

/** Sends an endless answer, as fast as it is read; `ended` resolves when the client leaves. */
export function forever(
  headers: Record<string, string | number>,
  status = 200,
): { fault: Fault; ended: Promise<void> } {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const fault: Fault = (_request, response) => {
    response.writeHead(status, headers);
    const piece = Buffer.alloc(1 << 14);
    const write = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.on("drain", write);
    response.on("close", resolve);
    write();
  };
  return { fault, ended };
}

/** Sends an endless answer, byte by byte. */
export const trickling: Fault = (_request, response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write("x"), TRICKLE_MS);
  response.on("close", () => clearInterval(timer));
};
