import * as http from "node:http";
import * as https from "node:https";
import { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchBucket,
  NoSuchKey,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type { StoreEnvironment } from "../../settings/setting-reader.ts";
import { FleetError } from "../fleet-error.ts";
import type { ObjectBytes, ObjectStore, StoredObject } from "./object-store.ts";

/** The library's message. */
const NO_REGION = "Region is missing";
const CONNECT_MS = 10_000;
/** The time that a connection may be silent. */
const SILENCE_MS = 60_000;
/** With at most 10,000 parts: objects of 100 GB. */
const PART_BYTES = 10 << 20;

/**
 * A snapshot store in a bucket, `s3://BUCKET/PREFIX`. The library finds credentials, region and endpoint in the usual
 * variables and files.
 */
export class S3Store implements ObjectStore {
  readonly name: string;
  readonly isReadOnly = false;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #client: S3Client;

  constructor(url: URL, { hasEndpoint, hasRegion, proxy }: StoreEnvironment) {
    this.name = url.href;
    this.#bucket = url.hostname;
    const prefix = decodeURIComponent(url.pathname).replace(/^\/|\/$/g, "");
    this.#prefix = prefix === "" ? "" : `${prefix}/`;
    this.#client = new S3Client({
      // Services other than Amazon's often have no host name for each bucket, and no regions.
      forcePathStyle: hasEndpoint,
      ...(hasEndpoint && !hasRegion ? { region: "us-east-1" } : {}),
      // Some services refuse Amazon's own checksums. Every object has a SHA-256, which readers check.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        requestTimeout: SILENCE_MS,
        socketTimeout: SILENCE_MS,
        httpAgent: new http.Agent({ keepAlive: true, proxyEnv: proxy }),
        httpsAgent: new https.Agent({ keepAlive: true, proxyEnv: proxy }),
      },
    });
  }

  async read<Result>(
    key: string,
    from: number,
    signal: AbortSignal,
    use: (bytes: ObjectBytes) => Promise<Result>,
  ): Promise<Result | null> {
    const body = await this.#bodyOf(key, from, signal);
    if (body === null) return null;
    try {
      return await use({ start: from, body });
    } catch (error) {
      signal.throwIfAborted();
      // The stream's own error, and not one of who uses the bytes.
      throw error === body.errored ? this.#fault(error) : error;
    } finally {
      body.destroy();
    }
  }

  async write(
    key: string,
    content: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<void> {
    let fault: unknown = null;
    const body = Readable.from(watched(content, (error) => (fault = error)));
    // The library sees errors as it reads. When it stops early, Node would report that to no one.
    body.on("error", () => undefined);
    const upload = new Upload({
      client: this.#client,
      params: {
        Bucket: this.#bucket,
        Key: this.#prefix + key,
        Body: body,
      },
      partSize: PART_BYTES,
      queueSize: 2,
    });
    const abort = () => void upload.abort();
    signal.addEventListener("abort", abort);
    try {
      signal.throwIfAborted();
      await upload.done();
    } catch (error) {
      signal.throwIfAborted();
      throw fault ?? this.#fault(error);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  async list(signal: AbortSignal): Promise<StoredObject[]> {
    const found: StoredObject[] = [];
    try {
      for await (const { Contents = [] } of paginateListObjectsV2(
        { client: this.#client },
        { Bucket: this.#bucket, Prefix: this.#prefix },
        { abortSignal: signal },
      ))
        for (const { Key = "", LastModified, Size = 0 } of Contents)
          found.push({
            key: Key.slice(this.#prefix.length),
            bytes: Size,
            modifiedMs: LastModified?.getTime() ?? Date.now(),
          });
    } catch (error) {
      signal.throwIfAborted();
      throw this.#fault(error);
    }
    return found;
  }

  async remove(key: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#client.send(
        new DeleteObjectCommand({
          Bucket: this.#bucket,
          Key: this.#prefix + key,
        }),
        { abortSignal: signal },
      );
    } catch (error) {
      signal.throwIfAborted();
      throw this.#fault(error);
    }
  }

  [Symbol.dispose](): void {
    this.#client.destroy();
  }

  async #bodyOf(
    key: string,
    from: number,
    signal: AbortSignal,
  ): Promise<Readable | null> {
    try {
      const { Body } = await this.#client.send(
        new GetObjectCommand({
          Bucket: this.#bucket,
          Key: this.#prefix + key,
          ...(from === 0 ? {} : { Range: `bytes=${from}-` }),
        }),
        { abortSignal: signal },
      );
      if (!(Body instanceof Readable))
        throw new TypeError("The library hands out streams in Node.");
      return Body;
    } catch (error) {
      signal.throwIfAborted();
      if (isMissing(error)) return null;
      throw this.#fault(error);
    }
  }

  #fault(error: unknown): FleetError {
    return new FleetError(
      `The snapshot store ${this.name}: ${adviceFor(error)}.`,
      { cause: error },
    );
  }
}

/** Returns what is wrong, and what to check. */
function adviceFor(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error ? error.name : "";
  if (error instanceof NoSuchBucket)
    return "there is no such bucket. Check SNAPSHOT_STORE and AWS_ENDPOINT_URL";
  if (reason === NO_REGION) return "no region is set. Set AWS_REGION";
  if (
    error instanceof S3ServiceException &&
    error.$metadata.httpStatusCode === 403
  )
    return `access is denied (${code}). Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the bucket's policy`;
  return `${code}: ${reason === "" ? "no response" : reason.replace(/\.$/, "")}. Check SNAPSHOT_STORE, AWS_ENDPOINT_URL and the network`;
}

/** Notes why content fails: the library reports only that its upload was aborted. */
async function* watched(
  content: AsyncIterable<Uint8Array>,
  onFault: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await chunks.next().catch((error: unknown) => {
        onFault(error);
        throw error;
      });
      if (done === true) return;
      yield value;
    }
  } finally {
    await chunks.return?.();
  }
}

/** True if there is no such object, or it ends before the requested range. */
function isMissing(error: unknown): boolean {
  if (error instanceof NoSuchKey) return true;
  return (
    error instanceof S3ServiceException &&
    !(error instanceof NoSuchBucket) &&
    [404, 416].includes(error.$metadata.httpStatusCode ?? 0)
  );
}
