import { UNLIMITED } from "../../../http/access/caller.ts";
import { answerFromData } from "../../../http/answer.ts";
import type { Body, DataCall } from "../../../http/call.ts";
import { validatorsBySnapshot } from "../../../http/pipeline/conditional.ts";
import { must, Refusal } from "../../../http/pipeline/failure.ts";
import type {
  OperationResult,
  QuickOperation,
} from "../../../http/queries/data-operation.ts";
import type { Directory } from "../../../search/directory.ts";
import type { Context } from "../../command.ts";
import { noCurrentSnapshot, storeIn } from "../../data-folder.ts";
import { openCurrent } from "./current-directory.ts";
import { errorOf, notCurrent, queryOfOperands } from "./query-operands.ts";

/** Answers a request to the current snapshot of a data folder as the API does, and prints the body. */
export async function answerLocally<
  Parsed extends object,
  Query extends object,
  Result extends OperationResult,
>(
  operation: QuickOperation<Parsed, Query, Result>,
  operands: readonly string[],
  dataDir: string,
  context: Context,
): Promise<void> {
  using opened = new DisposableStack();
  let data: Directory | null = null;
  const holder = {
    /** Opened for a request that can be parsed. */
    get current() {
      data ??= opened.use(openCurrent(storeIn(dataDir)));
      return data;
    },
    previous: null,
    expected: { includes: () => false },
  };
  const call = localCall(queryOfOperands(operands), (body) =>
    context.out(textOf(body)),
  );
  const validatorsOf = validatorsBySnapshot(Buffer.alloc(0));
  try {
    const source = { data: holder, root: "", validatorsOf };
    await answerFromData(call, operation, source);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { failure } = error;
    if (failure.code === "data_not_loaded")
      throw noCurrentSnapshot(storeIn(dataDir));
    if (failure.code !== "snapshot_gone") throw errorOf(failure);
    const pinned = operation.pinned?.(must(operation.parse(call))) ?? "";
    throw notCurrent(pinned, holder.current?.id ?? "");
  }
}

/** Makes the call of a program of this machine, without limits. */
export function localCall(url: string, take: (body: Body) => void): DataCall {
  return {
    id: "",
    url,
    path: "",
    params: {},
    method: "GET",
    headers: {},
    caller: UNLIMITED,
    reserved: 0,
    isGone: false,
    response: null,
    send: ({ body }) => take(body),
  };
}

function textOf(body: Body): string {
  if (typeof body === "string") return body;
  if (body !== null && "text" in body) return body.text();
  throw new Error("A command prints texts only.");
}
