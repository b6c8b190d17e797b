import type { ServerResponse } from "node:http";
import { createGzip, type Gzip } from "node:zlib";
import type { Rows } from "../../search/render/rows.ts";
import type { AccountShare, AnswerReader } from "../limits/account-share.ts";
import type { TakeTurn } from "../limits/fair-queue.ts";
import type { Workbook } from "./workbook/workbook.ts";

/** Fast enough not to slow an export down; a tenth of the bytes. */
const GZIP_LEVEL = 1;

/**
 * The time for making a slice, in milliseconds. A look-up of another client may wait for a slice and its write, so they
 * take about as long as the look-up itself. A slice of a quarter of a millisecond needs a tenth less per record.
 */
const SLICE_MS = 0.05;

/** The least pace at which a client must read. */
export interface Pace {
  /** The time that it may leave a slice unread, in milliseconds. */
  readonly stalledMs: number;
  /** The number of bytes that it must read a second on average, before compression. */
  readonly bytesPerSecond: number;
  /** The most time that it may be behind that, in milliseconds. */
  readonly behindMs: number;
}

/** The reason why an export ended before its last row. */
export type Cut =
  /** The client closed the connection, or the service did because it stops. */
  | "client_gone"
  /** The client read nothing for too long, or too little. */
  | "stalled"
  /** An account without an export took its place. */
  | "displaced"
  /** Its snapshot was closed too long ago. */
  | "released"
  /** A row cannot be made. */
  | { readonly error: unknown };

interface Sending {
  readonly response: ServerResponse;
  readonly rows: Rows;
  /** Does some work in the turn of a slice. */
  readonly takeTurn: TakeTurn;
  readonly compressed: boolean;
  /** Encodes the rows; null to send them as they are. */
  readonly workbook: Workbook | null;
  readonly pace: Pace;
  /** Its place, which its reader may lose. */
  readonly place: Pick<AccountShare, "readBy">;
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
  sending: Sending,
  body: ServerResponse | Gzip,
): Promise<Cut | null> {
  const { place, rows, takeTurn, workbook } = sending;
  const reader = new Reader(sending, body);
  place.readBy(reader);
  try {
    for (;;) {
      await new Promise<void>((resolve) => takeTurn(resolve));
      const slice = reader.cut() === null ? rows.next(SLICE_MS) : null;
      if (slice === null) break;
      // The next slice is made in the same memory.
      const { length } = slice;
      await reader.take((await workbook?.add(slice)) ?? slice, length);
    }
    if (reader.cut() === null && workbook !== null)
      await reader.take(await workbook.end());
    if (reader.cut() === null) await reader.end();
    return reader.cut();
  } catch (error) {
    // A workbook that is cut can't take more.
    return reader.cut() ?? { error };
  } finally {
    reader.forget();
  }
}

/** The reader of an answer. */
class Reader implements AnswerReader {
  readonly #sending: Sending;
  readonly #body: ServerResponse | Gzip;
  readonly #goOn = (): void => this.#resume?.();
  /** Started again for each slice. */
  readonly #stall: NodeJS.Timeout;
  #resume: (() => void) | null = null;
  /** Since when it waits, by `performance.now()`. */
  #sinceMs = 0;
  /**
   * The time that the service has waited for it, less what its pace allows for what it read, in milliseconds; 0 or
   * more.
   */
  #behindMs = 0;
  #isFinished = false;
  #ended: "stalled" | "displaced" | null = null;

  constructor(sending: Sending, body: ServerResponse | Gzip) {
    const { pace, released, response } = sending;
    this.#sending = sending;
    this.#body = body;
    this.#stall = setTimeout(() => {
      // Else the slice is not made yet.
      if (this.#resume !== null) this.#end("stalled");
    }, pace.stalledMs);
    response.once("close", this.#goOn);
    response.on("error", this.#goOn);
    if (body !== response) body.on("error", this.#goOn);
    released.addEventListener("abort", this.#goOn);
  }

  /** Returns why no more should be sent; null if more should. */
  cut(): Cut | null {
    if (this.#ended !== null) return this.#ended;
    const { released, response } = this.#sending;
    if (released.aborted) return "released";
    return response.destroyed && !this.#isFinished ? "client_gone" : null;
  }

  /**
   * Resolves when bytes are handed to the system, or as soon as `cut` is not null. `length` is what they are for the
   * pace: those of the slice that was encoded.
   */
  async take(bytes: Uint8Array, length = bytes.length): Promise<void> {
    const { behindMs, bytesPerSecond } = this.#sending.pace;
    this.#sinceMs = performance.now();
    if (bytes.length > 0)
      await this.#until((done) => this.#body.write(bytes, done));
    const waitedMs = performance.now() - this.#sinceMs;
    const allowedMs = (length / bytesPerSecond) * 1_000;
    this.#behindMs = Math.max(0, this.#behindMs + waitedMs - allowedMs);
    if (this.#behindMs > behindMs) this.#end("stalled");
  }

  behindMs(): number {
    const waitsMs =
      this.#resume === null ? 0 : performance.now() - this.#sinceMs;
    return this.#behindMs + waitsMs;
  }

  displace(): void {
    this.#end("displaced");
  }

  #end(why: "stalled" | "displaced"): void {
    this.#ended ??= why;
    this.#goOn();
  }

  /** Resolves when everything is handed to the system, or as soon as `cut` is not null. */
  end(): Promise<void> {
    return this.#until((done) => {
      this.#sending.response.once("finish", () => {
        this.#isFinished = true;
        done();
      });
      // With gzip, the rest of its bytes and the end of the response follow.
      this.#body.end();
    });
  }

  async #until(begin: (done: () => void) => void): Promise<void> {
    this.#sinceMs = performance.now();
    if (this.cut() !== null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#resume = resolve;
    this.#stall.refresh();
    begin(resolve);
    await promise;
    this.#resume = null;
  }

  forget(): void {
    clearTimeout(this.#stall);
    const { released, response } = this.#sending;
    response.off("close", this.#goOn);
    released.removeEventListener("abort", this.#goOn);
  }
}
