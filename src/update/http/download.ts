import { dirname } from "node:path";
import { request, type RequestContext } from "./request.ts";
import { requireSpace } from "../plan/disk-budget.ts";
import { PartFile } from "./part-file.ts";
import { retry, RetryableError } from "./retry.ts";
import { redactedUrl } from "./source.ts";
import { UpdateError } from "../update-error.ts";
import type { HttpResponse } from "./http-client.ts";

/** An attempt that got this many bytes further does not count as a failure. */
const PROGRESS_BYTES = 1 << 20;
/** Without a known length, the free disk space is checked again after this many bytes. */
const CHECK_BYTES = 16 << 20;
const PARTIAL = 206;
const NOT_IN_RANGE = 416;

export interface Download {
  name: string;
  /** http or https. */
  url: URL;
  /** The final path. Its folder exists. */
  path: string;
  /** Size limit, enforced whatever length the server announces. */
  maxBytes: number;
  /** Bytes to reserve for snapshots made from a file of this length. */
  snapshotBytes: (fileBytes: number) => number;
  /** Throws UpdateError if the file, still at its temporary path, is not what it should be. */
  check: (path: string) => Promise<void>;
}

export interface DownloadProgress {
  name: string;
  bytes: number;
  /** Null if the server does not say. */
  bytesTotal: number | null;
}

/**
 * Downloads a file to `PATH.part`, checks it and renames it. Resumes an earlier part if the file on the server is
 * unchanged; whatever stops it leaves a part for the next call. One caller at a time. Throws an UpdateError that says
 * what to do, the signal's reason, and file system errors.
 */
export async function download(
  { check, maxBytes, name, path, snapshotBytes, url }: Download,
  context: RequestContext,
  onProgress?: (progress: DownloadProgress) => void,
): Promise<void> {
  await using part = await PartFile.open(path, url);
  let furthest = part.size;
  await retry(
    async () => {
      try {
        if (!part.isComplete)
          await request(context, url, conditions(part), use, [416]);
      } catch (error) {
        throw withProgress(error);
      }
    },
    context.retryPolicy,
    context.signal,
  );
  try {
    await check(part.path);
  } catch (error) {
    if (error instanceof UpdateError) await part.discard();
    throw error;
  }
  await part.finish();

  async function use(answer: HttpResponse): Promise<void> {
    await preparePart(part, answer, url);
    const { bytesTotal } = part.facts ?? { bytesTotal: null };
    if (bytesTotal !== null && bytesTotal > maxBytes) throw await tooLong();
    let checkedTo = bytesTotal ?? part.size + CHECK_BYTES;
    if (bytesTotal !== null) await requireRoom(bytesTotal);
    for await (const chunk of answer.body) {
      const reached = part.size + chunk.length;
      if (bytesTotal !== null && reached > bytesTotal) {
        await part.restart(null);
        throw new RetryableError(
          `${redactedUrl(url)} sent more than its ${bytesTotal} bytes`,
        );
      }
      if (reached > maxBytes) throw await tooLong();
      // Unknown length: also reserve space for the snapshot of what has arrived so far.
      if (reached > checkedTo) {
        await requireRoom(reached);
        checkedTo = reached + CHECK_BYTES;
      }
      await append(part, chunk, name);
      onProgress?.({ name, bytes: part.size, bytesTotal });
    }
    if (bytesTotal !== null && part.size !== bytesTotal)
      throw new RetryableError(
        `${redactedUrl(url)} ended after ${part.size} of ${bytesTotal} bytes`,
      );
  }

  function requireRoom(bytes: number): Promise<void> {
    return requireSpace(dirname(path), {
      name,
      download: bytes - part.size,
      snapshot: snapshotBytes(bytes),
    });
  }

  async function tooLong(): Promise<UpdateError> {
    await part.discard();
    return new UpdateError(
      `${redactedUrl(url)} is larger than ${Math.round(maxBytes / 1e6).toLocaleString("en-US")} MB, the limit for ${name}. Check the URL, or choose another source.`,
    );
  }

  function withProgress(error: unknown): unknown {
    const madeProgress = part.size >= furthest + PROGRESS_BYTES;
    furthest = Math.max(furthest, part.size);
    if (!(error instanceof RetryableError)) return error;
    const { message, waitMs } = error;
    return new RetryableError(message, { waitMs, madeProgress, cause: error });
  }
}

/** Headers that request the rest, if the file is unchanged. */
function conditions({ facts, size }: PartFile): Record<string, string> {
  const validator = facts?.validator ?? null;
  if (size === 0 || validator === null) return {};
  return { range: `bytes=${size}-`, "if-range": validator };
}

/** Prepares the part for a response: keeps it if the response continues it, else restarts it. */
async function preparePart(
  part: PartFile,
  { headers, status }: HttpResponse,
  url: URL,
): Promise<void> {
  const validator = validatorOf(headers);
  if (status === PARTIAL || status === NOT_IN_RANGE) {
    const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(
      headers["content-range"] ?? "",
    );
    const continues =
      status === PARTIAL &&
      Number(range?.[1]) === part.size &&
      (validator === null || validator === part.facts?.validator) &&
      (range?.[2] === "*" || Number(range?.[2]) === part.facts?.bytesTotal);
    if (continues) return;
    await part.restart(null);
    throw new RetryableError(
      `${redactedUrl(url)} cannot be resumed: the file on the server has changed`,
    );
  }
  const length = headers["content-length"];
  await part.restart({
    url: redactedUrl(url),
    validator,
    bytesTotal: length === undefined ? null : Number(length),
  });
}

/** Returns a strong ETag, else the date, or null. */
function validatorOf({
  etag,
  "last-modified": lastModified,
}: HttpResponse["headers"]): string | null {
  if (etag?.startsWith('"') === true) return etag;
  return lastModified ?? null;
}

async function append(
  part: PartFile,
  chunk: Uint8Array,
  name: string,
): Promise<void> {
  try {
    await part.append(chunk);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code !== "ENOSPC" && code !== "EDQUOT") throw error;
    throw new UpdateError(
      `The disk is full (${part.path}). Free some space and run update again; the download of ${name} resumes.`,
      { cause: error },
    );
  }
}
