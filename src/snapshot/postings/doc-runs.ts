import { MovedDocs, NO_DOC } from "./merge-postings.ts";

/** Runs as plain data: run `n` starts at `sources[n]` and is `docs[n]` and those that follow, up to the next run. */
export interface RunColumns {
  baseCount: number;
  /** The number of documents. */
  count: number;
  sources: Uint32Array;
  docs: Uint32Array;
}

/**
 * The documents of a merged snapshot as runs that follow each other in their source, too. Sources are the base's
 * documents, and, from `baseCount` on, rows by their index in the layout. A week splits millions of documents into less
 * than a hundred thousand runs, so what belongs to unchanged documents is copied run by run.
 */
export class DocRuns {
  readonly baseCount: number;
  /** The number of documents. */
  count = 0;
  /** The first source of each run, and its first document. */
  readonly #sources: number[] = [];
  readonly #docs: number[] = [];

  constructor(baseCount: number) {
    this.baseCount = baseCount;
  }

  /** Appends sources `from` to `to` - 1. */
  add(from: number, to: number): void {
    if (from === to) return;
    this.#sources.push(from);
    this.#docs.push(this.count);
    this.count += to - from;
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

  /** The base's documents that are gone, ascending. */
  gone(): Uint32Array {
    const gone: number[] = [];
    let next = 0;
    const passTo = (source: number): void => {
      while (next < source) gone.push(next++);
    };
    this.forEach((source, _, length) => {
      if (source >= this.baseCount) return;
      passTo(source);
      next = source + length;
    });
    passTo(this.baseCount);
    return Uint32Array.from(gone);
  }

  get columns(): RunColumns {
    const sources = Uint32Array.from(this.#sources);
    const docs = Uint32Array.from(this.#docs);
    return { baseCount: this.baseCount, count: this.count, sources, docs };
  }

  /** The sources of the documents from `first` on. */
  sourcesFrom(first: number): Uint32Array {
    const sources = new Uint32Array(this.count - first);
    this.forEach((source, doc, length) => {
      for (let at = Math.max(doc, first); at < doc + length; at++)
        sources[at - first] = source + at - doc;
    });
    return sources;
  }

  /** The new numbers of the base's documents. */
  moved(): MovedDocs {
    const docs = new Uint32Array(this.baseCount).fill(NO_DOC);
    this.forEach((source, doc, length) => {
      if (source >= this.baseCount) return;
      for (let at = 0; at < length; at++) docs[source + at] = doc + at;
    });
    return new MovedDocs(docs);
  }
}

/** Documents of the base, with their places, that moved together. */
export interface MovedPart {
  source: number;
  to: number;
  length: number;
}

/**
 * The runs of the base's documents, of which those that moved equally far are one. Documents that are gone and rows in
 * the same places can be among them.
 */
export function partsThatMove({
  baseCount,
  count,
  docs,
  sources,
}: RunColumns): MovedPart[] {
  const parts: MovedPart[] = [];
  for (let run = 0; run < sources.length; run++) {
    const source = sources[run]!;
    if (source >= baseCount) continue;
    const to = docs[run]!;
    const end = docs[run + 1] ?? count;
    const last = parts.at(-1);
    if (last !== undefined && last.to - last.source === to - source)
      last.length = end - last.to;
    else parts.push({ source, to, length: end - to });
  }
  return parts;
}
