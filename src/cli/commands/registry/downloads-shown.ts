import type { DownloadProgress } from "../../../update/http/download.ts";
import type { Context } from "../../command.ts";
import { Progress } from "../../output/progress.ts";

/** Shows how far each download is. */
export class DownloadsShown implements Disposable {
  readonly #context: Context;
  #name = "";
  #shown: Progress | null = null;

  constructor(context: Context) {
    this.#context = context;
  }

  show({ bytes, bytesTotal, name }: DownloadProgress): void {
    if (name !== this.#name) {
      this[Symbol.dispose]();
      this.#name = name;
      this.#shown = new Progress(`Downloading ${name}`, this.#context);
    }
    const total = bytesTotal ?? 0;
    this.#shown?.update({ done: bytes, total, bytes, bytesTotal, rows: null });
  }

  [Symbol.dispose](): void {
    this.#shown?.[Symbol.dispose]();
    this.#shown = null;
  }
}
