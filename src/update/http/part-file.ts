import { open, rename, rm, writeFile, readFile } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { redactedUrl } from "./source.ts";

/** Suffixes of an unfinished download and of its facts. */
export const PART = ".part";
export const PART_FACTS = ".part.json";

/** The server's facts about a partly downloaded file. */
export interface PartFacts {
  /** Its URL, without a password. */
  url: string;
  /** The ETag or Last-Modified, to check that the file is unchanged; null without either. */
  validator: string | null;
  /** The length of the whole file; null if the server did not say. */
  bytesTotal: number | null;
}

/** A partly downloaded file, next to its final path. */
export class PartFile implements AsyncDisposable {
  readonly path: string;
  readonly #factsPath: string;
  readonly #finalPath: string;
  readonly #file: FileHandle;
  #facts: PartFacts | null;
  #size: number;

  private constructor(
    finalPath: string,
    file: FileHandle,
    size: number,
    facts: PartFacts | null,
  ) {
    this.path = finalPath + PART;
    this.#factsPath = finalPath + PART_FACTS;
    this.#finalPath = finalPath;
    this.#file = file;
    this.#size = size;
    this.#facts = facts;
  }

  /** Opens the existing part or an empty one. Ignores facts about another URL. */
  static async open(finalPath: string, url: URL): Promise<PartFile> {
    const facts = await readFacts(finalPath + PART_FACTS);
    // Appends always, also after truncation.
    const file = await open(finalPath + PART, "a");
    const { size } = await file.stat();
    const isFromThere = facts?.url === redactedUrl(url);
    return new PartFile(finalPath, file, size, isFromThere ? facts : null);
  }

  get size(): number {
    return this.#size;
  }

  get facts(): PartFacts | null {
    return this.#facts;
  }

  get isComplete(): boolean {
    return this.#size > 0 && this.#size === this.#facts?.bytesTotal;
  }

  /** Drops the bytes and stores the facts about those to come, first, so that there are never bytes without facts. */
  async restart(facts: PartFacts | null): Promise<void> {
    await this.#file.truncate(0);
    this.#size = 0;
    this.#facts = facts;
    await writeFile(this.#factsPath, JSON.stringify(facts));
  }

  async append(chunk: Uint8Array): Promise<void> {
    for (let done = 0; done < chunk.length;) {
      const { bytesWritten } = await this.#file.write(chunk, done);
      done += bytesWritten;
      this.#size += bytesWritten;
    }
  }

  /** Renames the file to its final name once its bytes are on disk. */
  async finish(): Promise<void> {
    await this.#file.sync();
    await rename(this.path, this.#finalPath);
    await rm(this.#factsPath, { force: true });
    await using folder = await open(dirname(this.#finalPath));
    await folder.sync();
  }

  async discard(): Promise<void> {
    await rm(this.path, { force: true });
    await rm(this.#factsPath, { force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}

/** Returns null if there are none or they are incomplete. */
async function readFacts(path: string): Promise<PartFacts | null> {
  let facts: unknown;
  try {
    facts = JSON.parse(await readFile(path, "utf8"));
  } catch {
    return null;
  }
  if (typeof facts !== "object" || facts === null) return null;
  if (!("url" in facts && "validator" in facts && "bytesTotal" in facts))
    return null;
  const { bytesTotal, url, validator } = facts;
  if (typeof url !== "string") return null;
  return {
    url,
    validator: typeof validator === "string" ? validator : null,
    bytesTotal: typeof bytesTotal === "number" ? bytesTotal : null,
  };
}
