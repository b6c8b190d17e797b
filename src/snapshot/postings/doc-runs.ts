/**
 * The documents of a merged snapshot as runs that follow each other in their source, too. Sources are the base's
 * documents, and, from `baseCount` on, rows by their index in the layout. A week splits millions of documents into less
 * than a hundred thousand runs, so what belongs to unchanged documents is copied run by run.
 */
export class DocRuns {
  readonly baseCount: number;
  /** The number of documents. */
  readonly count: number;
  /** The first source of each run, and its first document. */
  readonly #sources: number[] = [];
  readonly #docs: number[] = [];

  /** Finds the runs. `sources` has the source of each document. */
  constructor(baseCount: number, sources: Uint32Array) {
    this.baseCount = baseCount;
    this.count = sources.length;
    for (let doc = 0; doc < sources.length; doc++) {
      const source = sources[doc]!;
      const follows = doc > 0 && source === sources[doc - 1]! + 1;
      if (follows && source !== baseCount) continue;
      this.#sources.push(source);
      this.#docs.push(doc);
    }
  }

  /** Calls `visit` with each run: its first source, its first document, and its length. */
  forEach(visit: (source: number, doc: number, length: number) => void): void {
    this.#sources.forEach((source, run) => {
      const doc = this.#docs[run]!;
      visit(source, doc, (this.#docs[run + 1] ?? this.count) - doc);
    });
  }

  /** Copies each document's value from its source into `target`. */
  copy<T extends Uint8Array | Uint16Array | Uint32Array>(
    target: T,
    base: T,
    rows: T,
  ): void {
    const { baseCount } = this;
    this.forEach((source, doc, length) => {
      const from = source < baseCount ? source : source - baseCount;
      const values = source < baseCount ? base : rows;
      target.set(values.subarray(from, from + length), doc);
    });
  }
}
