import type { ServerResponse } from "node:http";
import { createGzip, type Gzip } from "node:zlib";
import type { Rows } from "../../search/render/rows.ts";
import type { Slices } from "./slices.ts";

/** Fast enough not to slow an export down; a tenth of the bytes. */
const GZIP_LEVEL = 1;

/** Why an export ended before its last row. */
export type Cut =
  /** The client closed the connection, or the service did because it stops. */
  | "client_gone"
  /** The client read nothing for too long. */
  | "stalled"
  /** Its snapshot was closed too long ago. */
  | "released"
  /** A row cannot be made. */
  | { readonly error: unknown };

interface Sending {
  readonly response: ServerResponse;
  readonly rows: Rows;
  readonly slices: Slices;
  readonly compressed: boolean;
  /** How long the client may leave a slice unread, in milliseconds. */
  readonly stalledMs: number;
  /** Aborts when the snapshot is no longer available. */
  readonly released: AbortSignal;
}

/**
 * Sends rows as the body of an answer, a slice at a time: the next one is made once the system has the one before.
 * Resolves once everything is handed to the system, to null, or after cutting the connection, so that no client takes a
 * part for the whole. Never rejects.
 */
export async function sendRows(sending: Sending): Promise<Cut | null> {
  const { compressed, response } = sending;
  const gzip = compressed ? createGzip({ level: GZIP_LEVEL }) : null;
  gzip?.pipe(response);
  const cut = await send(sending, gzip ?? response);
  if (cut === null) return null;
  gzip?.unpipe().destroy();
  // A reset: over HTTP/1.0, the end of the connection would be that of the body.
  response.socket?.resetAndDestroy();
  response.destroy();
  return cut;
}

async function send(
  { released, response, rows, slices, stalledMs }: Sending,
  body: ServerResponse | Gzip,
): Promise<Cut | null> {
  const reader = new Reader(response, body, released, stalledMs);
  try {
    for (;;) {
      const slice = await slices.make(() =>
        reader.cut() === null ? rows.next() : null,
      );
      if (slice === null) break;
      // The next slice is made in the same memory.
      await reader.take(slice);
    }
    if (reader.cut() === null) await reader.end();
    return reader.cut();
  } catch (error) {
    return { error };
  } finally {
    reader.forget();
  }
}

/** The reader of an answer. */
class Reader {
  readonly #response: ServerResponse;
  readonly #body: ServerResponse | Gzip;
  readonly #released: AbortSignal;
  readonly #stalledMs: number;
  readonly #goOn = (): void => this.#resume?.();
  #resume: (() => void) | null = null;
  #isFinished = false;
  #isStalled = false;

  constructor(
    response: ServerResponse,
    body: ServerResponse | Gzip,
    released: AbortSignal,
    stalledMs: number,
  ) {
    this.#response = response;
    this.#body = body;
    this.#released = released;
    this.#stalledMs = stalledMs;
    response.once("close", this.#goOn);
    response.on("error", this.#goOn);
    if (body !== response) body.on("error", this.#goOn);
    released.addEventListener("abort", this.#goOn);
  }

  /** Why no more should be sent; null if more should. */
  cut(): Cut | null {
    if (this.#isStalled) return "stalled";
    if (this.#released.aborted) return "released";
    return this.#response.destroyed && !this.#isFinished ? "client_gone" : null;
  }

  /** Resolves when a slice is handed to the system, or as soon as `cut` is not null. */
  take(slice: Uint8Array): Promise<void> {
    return this.#until((done) => this.#body.write(slice, done));
  }

  /** Resolves when everything is handed to the system, or as soon as `cut` is not null. */
  end(): Promise<void> {
    return this.#until((done) => {
      this.#response.once("finish", () => {
        this.#isFinished = true;
        done();
      });
      // With gzip, the rest of its bytes and the end of the response follow.
      this.#body.end();
    });
  }

  async #until(begin: (done: () => void) => void): Promise<void> {
    if (this.cut() !== null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#resume = resolve;
    const timer = setTimeout(() => {
      this.#isStalled = true;
      resolve();
    }, this.#stalledMs);
    begin(resolve);
    await promise;
    clearTimeout(timer);
    this.#resume = null;
  }

  forget(): void {
    this.#response.off("close", this.#goOn);
    this.#released.removeEventListener("abort", this.#goOn);
  }
}
