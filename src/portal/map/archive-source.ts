/** The boundary to archives, which may be on another host: no long part is requested, and none is awaited for long. */
import { FetchSource, type RangeResponse } from "pmtiles";

/** The longest part of an archive (directory, description, or tile) that is loaded. Real ones are far shorter. */
export const MAX_PART_BYTES = 2 ** 22;
const TIMEOUT_MS = 30_000;

/** An archive at a URL, of which no long part is loaded, and none for long. */
export class ArchiveSource extends FetchSource {
  readonly #timeoutMs: number;

  constructor(url: string, timeoutMs = TIMEOUT_MS) {
    super(url);
    this.#timeoutMs = timeoutMs;
  }

  override async getBytes(
    offset: number,
    length: number,
    signal?: AbortSignal,
    etag?: string,
  ): Promise<RangeResponse> {
    if (length > MAX_PART_BYTES)
      throw new Error("A part of the archive is too long.");
    const signals = [AbortSignal.timeout(this.#timeoutMs), signal ?? []];
    return super.getBytes(
      offset,
      length,
      AbortSignal.any(signals.flat()),
      etag,
    );
  }
}
