import { MAX_SEPARATOR_LINE_BYTES, separatorLine } from "../text/csv-text.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const LF = 0x0a;
const CR = 0x0d;

/**
 * Converts a CSV file that starts with `sep=;`, in chunks of any size, to one with commas and without that line. Other
 * files stay as they are. A bare cell becomes a quoted one.
 */
export class CommaConverter {
  /** The number of removed lines: 0 or 1. */
  removedLines = 0;
  /** The start of the file, until it can have the line. */
  #head: Uint8Array | null = new Uint8Array(0);
  #separator = COMMA;
  /**
   * The position of the next byte: between cells, in a bare cell, in a quoted one, or after a quote in a quoted one.
   */
  #place: "between" | "bare" | "quoted" | "afterQuote" = "between";

  push(chunk: Uint8Array): Uint8Array {
    if (this.#head === null) return this.#convert(chunk);
    this.#head = Buffer.concat([this.#head, chunk]);
    return this.#head.length < MAX_SEPARATOR_LINE_BYTES
      ? new Uint8Array(0)
      : this.#begin(this.#head);
  }

  /** Returns the last bytes. */
  end(): Uint8Array {
    const rest = this.#head === null ? [] : [this.#begin(this.#head)];
    if (this.#place === "bare") rest.push(Uint8Array.of(QUOTE));
    return Buffer.concat(rest);
  }

  #begin(head: Uint8Array): Uint8Array {
    this.#head = null;
    const said = separatorLine(head);
    if (said === null) return this.#convert(head);
    this.removedLines = 1;
    this.#separator = said.separator;
    return this.#convert(head.subarray(said.length));
  }

  #convert(bytes: Uint8Array): Uint8Array {
    if (this.#separator === COMMA) return bytes;
    // At most two quotes are added for a byte.
    const out = new Uint8Array(3 * bytes.length);
    let to = 0;
    for (const byte of bytes) {
      const ends =
        this.#place !== "quoted" &&
        (byte === this.#separator || byte === LF || byte === CR);
      if (ends) {
        if (this.#place === "bare") out[to++] = QUOTE;
        this.#place = "between";
        out[to++] = byte === this.#separator ? COMMA : byte;
        continue;
      }
      if (this.#place === "between" && byte !== QUOTE) {
        this.#place = "bare";
        out[to++] = QUOTE;
      } else if (this.#place !== "bare")
        this.#place =
          byte === QUOTE && this.#place === "quoted" ? "afterQuote" : "quoted";
      if (this.#place === "bare" && byte === QUOTE) out[to++] = QUOTE;
      out[to++] = byte;
    }
    return out.subarray(0, to);
  }
}
