import { localCall } from "../../src/cli/commands/registry/answer-locally.ts";
import { answerFromData } from "../../src/http/answer.ts";
import { validatorsBySnapshot } from "../../src/http/pipeline/conditional.ts";
import type {
  DataOperation,
  OperationResult,
} from "../../src/http/queries/data-operation.ts";
import type { Directory } from "../../src/search/directory.ts";

const validatorsOf = validatorsBySnapshot(Buffer.alloc(0));

/** The body of a response as the service makes it, but for HTTP and the turns of others. */
export async function answerInProcess<
  Parsed extends object,
  Query extends object,
  Result extends OperationResult,
>(
  directory: Directory,
  operation: DataOperation<Parsed, Query, Result>,
  url: string,
): Promise<string> {
  const data = {
    current: directory,
    previous: null,
    expected: { includes: () => false },
  };
  let text: string | null = null;
  const call = localCall(url, (body) => {
    if (typeof body === "string") text = body;
  });
  await answerFromData(call, operation, { data, root: "", validatorsOf });
  if (text === null) throw new Error(`No text answers ${url}.`);
  return text;
}
