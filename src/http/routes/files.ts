import { Type, type Static } from "typebox";
import { FilesAnswer, type SnapshotFile } from "../../contract/answers.ts";
import { isSnapshotId, MANIFEST } from "../../contract/files.ts";
import {
  FileName,
  FileSnapshot,
  FilesParameters,
} from "../../contract/parameters.ts";
import { FILES_EXAMPLE } from "../../contract/examples.ts";
import { reserve, stopIfGone } from "../answer.ts";
import type { FilesDependencies } from "../app-context.ts";
import type { Call, Handler } from "../call.ts";
import {
  bytesReply,
  hasCopy,
  rangeOf,
  unchanged,
  type SentFile,
} from "../exports/range-reply.ts";
import {
  AccountShares,
  readerOf,
  tooManyAtOnce,
} from "../limits/account-share.ts";
import {
  MAX_ACCOUNT_FILES,
  MAX_FILE_WAIT_MS,
  MAX_FILES,
} from "../limits/server-limits.ts";
import {
  must,
  notFound,
  Refusal,
  tryAgain,
  type Failure,
} from "../pipeline/failure.ts";
import { exposing, JSON_TYPE, SNAPSHOT_HEADER } from "../pipeline/headers.ts";
import {
  dataNotLoaded,
  parserOf,
  type DataOperation,
  type OperationResult,
  type ParametersRequest,
} from "../queries/data-operation.ts";
import { queryReader } from "../queries/query-string.ts";
import type { Route } from "./route.ts";

/** Seconds until files that are being made may be ready. */
const RETRY_SECONDS = 60;
/** The length of an entity tag: 128 bits of the file's hash. */
const TAG_LENGTH = 32;
/** A file's address is valid for it only. */
const IMMUTABLE = "private, max-age=31536000, immutable";

type FilesRequest = ParametersRequest<Static<typeof FilesParameters>>;
interface FilesResult extends OperationResult {
  readonly text: Buffer;
}

/** `GET /v1/files` */
export const FILES_ROUTE = {
  method: "GET",
  path: "/v1/files",
  access: "key",
  counted: "export",
  described: {
    operationId: "listFiles",
    summary: "List files",
    description:
      "Lists the files of a snapshot, to copy it or to query it with SQL. They are made in the minutes after an import. Only on installations with `FILES=on`.",
    query: FilesParameters,
    answer: {
      description: "The files.",
      schema: FilesAnswer,
      examples: { "The first file": FILES_EXAMPLE },
    },
    codes: ["snapshot_gone", "files_not_ready"],
  },
  isQuick: true,
  handler: ({ deps: { files }, from }) =>
    files === null ? refuseFiles : from(listingOf(files)),
} satisfies Route;

/** `GET /v1/files/{snapshot}/{name}` */
export const FILE_ROUTE = {
  method: "GET",
  path: "/v1/files/:snapshot/:name",
  access: "file",
  counted: "export",
  compress: false,
  described: {
    operationId: "getFile",
    summary: "Download a file",
    description:
      "Sends a file of the list, or a range of it. Needs a plan with files. On each node, a file counts as one request a day, however many ranges of it are read; more requests for it take nothing of the rate limit. `manifest.json` is the list itself.",
    pathParameters: {
      snapshot: FileSnapshot,
      name: FileName,
    },
    answer: {
      description: "The file.",
      contentTypes: ["application/vnd.apache.parquet", "application/zstd"],
      schema: Type.String({ format: "binary" }),
      headers: ["Accept-Ranges", "Snapshot"],
      hasRanges: true,
    },
    codes: [
      "files_not_in_plan",
      "files_not_ready",
      "not_found",
      "range_not_satisfiable",
      "snapshot_gone",
      "too_many_at_once",
    ],
  },
  isQuick: true,
  handler: ({ deps }) => {
    const { data, files, now } = deps;
    if (files === null) return refuseFiles;
    return sendFile(files, () => data.current?.id ?? null, now);
  },
} satisfies Route;

/** Responds where the operator turned files off. */
function refuseFiles(): never {
  throw new Refusal({
    code: "not_found",
    message:
      "This installation offers no files: its operator can turn them on with FILES=on.",
  });
}

function listingOf({
  kept,
}: FilesDependencies): DataOperation<FilesRequest, FilesResult, FilesResult> {
  return {
    parse: parserOf(queryReader(FilesParameters)),
    key: ({ parameters }, { id }) => `files ${parameters.snapshot ?? id}`,
    resolve({ id }, { parameters: { snapshot = id } }) {
      const manifest = kept.manifestOf(snapshot);
      return manifest === null
        ? withoutFiles(snapshot, id)
        : { text: manifest.text };
    },
    execute: (_data, found) => found,
    render: (_data, { text }) => text,
  };
}

/** Makes the handler of files. The first request of a day for a file counts as one (`FileDays`). */
function sendFile(
  { days, kept }: FilesDependencies,
  currentId: () => string | null,
  now: () => number,
): Handler {
  const shares = new AccountShares<number | string>(
    { all: MAX_FILES, account: MAX_ACCOUNT_FILES },
    () =>
      tooManyAtOnce(
        `Your account reads ${MAX_ACCOUNT_FILES} files or ranges at a time, and this request waited a minute for one of them to end. Send it again when one has arrived.`,
      ),
  );
  return async (call) => {
    const { snapshot = "", name = "" } = call.params;
    const file = must(findFile(snapshot, name));
    if (hasCopy(call, file)) return unchanged(file);
    const range = rangeOf(call, file);
    if (range === "unsatisfiable") throw new Refusal(notInFile(file));
    const share = shares.open(call.caller.party);
    must(await share.takeInTurn(1, call.response, MAX_FILE_WAIT_MS));
    const giveBack = (): void => share[Symbol.dispose]();
    // The response of a client that is gone won't close again, and would keep its place.
    if (call.isGone) giveBack();
    else call.response.once("close", giveBack);
    stopIfGone(call);
    const handle = await kept.open(snapshot, name).catch(() => null);
    if (handle === null) throw new Refusal(withoutFiles(snapshot, currentId()));
    const close = (): void => void handle.close();
    if (call.isGone) close();
    else call.response.once("close", close);
    await count(call, name);
    const { end, start } = range ?? { start: 0, end: file.size };
    share.readBy(readerOf(call.response, end - start));
    return bytesReply(handle, file, range);
  };

  function findFile(snapshot: string, name: string): SentFile | Failure {
    if (!isSnapshotId(snapshot)) return notFound();
    const manifest = kept.manifestOf(snapshot);
    if (manifest === null) return withoutFiles(snapshot, currentId());
    const { answer, tag, text } = manifest;
    if (name === MANIFEST)
      return sentFile(snapshot, text.length, tag, JSON_TYPE);
    const found = answer.data.find((each) => each.name === name);
    if (found === undefined) return unknownFile(snapshot);
    const { bytes, media_type: type, sha256 } = found;
    return sentFile(snapshot, bytes, sha256, type);
  }

  async function count(call: Call, name: string): Promise<void> {
    const { account } = call.caller;
    if (account === null) return;
    // Else requests would pass that are sent while the first one is refused.
    must(call.caller.spent());
    const file = { accountId: account, name, nowMs: now() };
    if (!days.take(file)) return;
    try {
      await reserve(call, 1);
    } catch (error) {
      days.giveBack(file);
      throw error;
    }
  }
}

function sentFile(
  snapshot: string,
  size: SnapshotFile["bytes"],
  hash: string,
  contentType: string,
): SentFile {
  return {
    size,
    tag: hash.slice(0, TAG_LENGTH),
    contentType,
    headers: [
      "cache-control",
      IMMUTABLE,
      SNAPSHOT_HEADER,
      snapshot,
      ...exposing("Accept-Ranges", "Content-Range"),
    ],
  };
}

/** Makes the failure for a snapshot without files; `current` is the one that is served. */
export function withoutFiles(
  snapshot: string,
  current: string | null,
): Failure {
  if (current === null) return dataNotLoaded();
  if (snapshot !== current)
    return {
      code: "snapshot_gone",
      message: `The files of snapshot ${snapshot} are not available. Get the list again: /v1/files.`,
    };
  return tryAgain(
    "files_not_ready",
    `The files of snapshot ${snapshot} are being made. If this lasts, the log of the service says why.`,
    RETRY_SECONDS,
  );
}

export function unknownFile(snapshot: string): Failure {
  return {
    code: "not_found",
    message: `Snapshot ${snapshot} has no file of this name. See /v1/files.`,
  };
}

export function notInFile({ size }: Pick<SentFile, "size">): Failure {
  return {
    code: "range_not_satisfiable",
    message: `The range starts after the end of the file, which has ${size} bytes.`,
    headers: { "content-range": `bytes */${size}` },
  };
}
