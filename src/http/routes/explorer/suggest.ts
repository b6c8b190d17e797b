import type { Completion } from "../../../contract/explorer/suggest.ts";
import type {
  DataOperation,
  OperationResult,
} from "../../queries/data-operation.ts";
import { INTERPRET, type InterpretRequest } from "../interpret.ts";

type Suggested = OperationResult & { readonly data: readonly Completion[] };

/** What a text can become, as a user types it. */
export const SUGGEST: DataOperation<
  InterpretRequest,
  InterpretRequest,
  Suggested
> = {
  parse: INTERPRET.parse,
  pinned: ({ snapshot }) => snapshot,
  key: INTERPRET.key,
  resolve: INTERPRET.resolve,
  execute: (data, { q }) => ({ data: data.suggester.suggest(q) }),
  render: (_data, { data }) => JSON.stringify({ data }),
};
