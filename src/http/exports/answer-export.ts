import type { DetailPart } from "../../contract/detail-parts.ts";
import { answersOfRows } from "../../contract/operation.ts";
import type { Failure } from "../pipeline/failure.ts";
import {
  isFailure,
  type StreamedOperation,
  type StreamedResult,
} from "../queries/data-operation.ts";
import { beginExport, type ExportFiles } from "./export-files.ts";
import {
  formatOfExport,
  parseExport,
  partsOfExport,
  type ExportRequest,
} from "./export-request.ts";

/** Headers that only exports have, which scripts may read too. */
const EXPOSED = "Content-Disposition, X-Total-Count";

interface CountedExport extends ExportRequest {
  /** The ID of the account. */
  readonly account: number;
  /** Whether it is HEAD, which only needs the total. */
  readonly isHead: boolean;
}

interface ExportQuery {
  readonly asked: CountedExport;
  /** The parts of details in the rows. */
  readonly parts: readonly DetailPart[];
}

/** Exports with an API key. Each is counted before its first byte. */
export function exportOperation(
  files: ExportFiles,
): StreamedOperation<CountedExport, ExportQuery> {
  return {
    parse({ caller, method, url }) {
      if (caller === null) throw new Error("An export needs an API key.");
      const asked = parseExport(url);
      if (isFailure(asked)) return asked;
      const isHead = method === "HEAD";
      return { ...asked, account: caller.account.id, isHead };
    },
    pinned: ({ query }) => query.snapshot,
    key: ({ query }) => `export ${JSON.stringify(query)}`,
    resolve(data, asked) {
      const parts = partsOfExport(asked, data);
      return isFailure(parts) ? parts : { asked, parts };
    },
    execute(data, { asked, parts }): StreamedResult | Failure {
      const { account, isHead, query } = asked;
      const running = beginExport(data, files.shares.open(account));
      if (isFailure(running)) return running;
      using owned = new DisposableStack();
      owned.use(running);
      const found = data.findAll(query);
      const format = formatOfExport(asked);
      const { total } = found;
      const name = `providers-${data.id}`;
      const whole = owned.move();
      return {
        answers: isHead ? 1 : answersOfRows(total),
        async send(request, reply, headers) {
          using _whole = whole;
          await files.send(
            request,
            reply,
            { data, found, format, parts, name, total },
            [...headers, "access-control-expose-headers", EXPOSED],
            running,
          );
        },
        [Symbol.dispose]: () => whole.dispose(),
      };
    },
  };
}
