import type { DetailPart } from "../../contract/detail-parts.ts";
import type { Task } from "../../threads/task-thread.ts";
import { PROGRAM, programVersion } from "../command.ts";
import {
  PARQUET_ENCODER,
  type ParquetRequests,
} from "../../tables/parquet-encoder.ts";
import type { FileWriter } from "./files.ts";

/** Writes rows, which are given as NDJSON, to a file as Parquet. */
export class ParquetFile implements FileWriter, AsyncDisposable {
  readonly #file: FileWriter;
  readonly #encoder: Task<ParquetRequests>;
  /** The next bytes of the file. Rows are made while they are encoded. */
  #encoded: Promise<Uint8Array> = Promise.resolve(new Uint8Array());

  /** `parts` are those of the details in the rows. */
  constructor(
    file: FileWriter,
    parts: readonly DetailPart[],
    signal: AbortSignal,
  ) {
    this.#file = file;
    const createdBy = `${PROGRAM} ${programVersion()}`;
    this.#encoder = PARQUET_ENCODER.inThread({ parts, createdBy }, { signal });
  }

  async write(lines: Uint8Array): Promise<void> {
    const before = this.#encoded;
    this.#encoded = this.#encoder.ask("add", lines);
    await this.#file.write(await before);
  }

  async finish(): Promise<void> {
    await this.#file.write(await this.#encoded);
    await this.#file.write(await this.#encoder.ask("end"));
    await this.#file.finish();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#encoder[Symbol.asyncDispose]();
  }
}
