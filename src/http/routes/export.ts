import { ProviderRecord } from "../../contract/provider.ts";
import { EXPORT_EXAMPLE } from "../../contract/examples.ts";
import { ExportParameters } from "../../contract/parameters.ts";
import { ROW_FORMATS } from "../../contract/row-formats.ts";
import { oneOf } from "../../text/lists.ts";
import {
  formatOfExport,
  parseExport,
  partsOfExport,
  type ExportRequest,
} from "../exports/export-request.ts";
import { rowOperation, type RowSource } from "../exports/row-operation.ts";
import { isFailure } from "../pipeline/failure.ts";
import type { Route } from "./route.ts";

/** All results of a search, in a client's format. */
const EXPORT: RowSource<ExportRequest, ExportRequest> = {
  parse: ({ url }) => parseExport(url),
  pinned: ({ query }) => query.snapshot,
  key: ({ query }) => `export ${JSON.stringify(query)}`,
  resolve: (_data, request) => request,
  rows(data, request) {
    const parts = partsOfExport(request, data);
    return isFailure(parts)
      ? parts
      : { format: formatOfExport(request), parts };
  },
  name: ({ id }) => `providers-${id}`,
  find(data, { query }) {
    const found = data.findAll(query);
    return { total: found.total, first: () => found };
  },
  exposed: ["Content-Disposition", "X-Total-Count"],
};

/** `GET /v1/providers/export` */
export const EXPORT_ROUTE = {
  method: "GET",
  path: "/v1/providers/export",
  access: "key",
  counted: "export",
  compress: false,
  described: {
    operationId: "exportProviders",
    tag: "Providers",
    summary: "Download all results of a search",
    description: `Sends all providers that match the filters of a search, in its order, from one snapshot, as ${oneOf(ROW_FORMATS.map(({ title }) => title))}. Counts as one request per 100 rows begun, all or none, before the first byte. If something fails after that, the connection is cut, so that your HTTP client reports an incomplete response.`,
    query: ExportParameters,
    answer: {
      description:
        "The matching providers, one per line; the schema is that of a line. CSV has a header and a row for each provider.",
      contentTypes: ROW_FORMATS.filter(({ example }) => example === null).map(
        mediaTypeOf,
      ),
      schema: ProviderRecord,
      examples: { "A line": EXPORT_EXAMPLE },
      texts: Object.fromEntries(
        ROW_FORMATS.flatMap((format) =>
          format.example === null
            ? []
            : [[mediaTypeOf(format), format.example]],
        ),
      ),
      headers: ["X-Total-Count", "Content-Disposition"],
    },
    codes: [
      "invalid_parameter",
      "details_not_held",
      "snapshot_gone",
      "snapshot_behind",
      "too_many_at_once",
    ],
  },
  handler: ({ files, from }) => from(rowOperation(files, EXPORT)),
} satisfies Route;

/** The media type of a format, without parameters. */
function mediaTypeOf({ contentType }: { contentType: string }): string {
  return contentType.replace(/;.*/, "");
}
