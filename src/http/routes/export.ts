import { ProviderRecord } from "../../contract/provider.ts";
import { ExportParameters } from "../../contract/parameters.ts";
import type { Route } from "./route.ts";

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
    description:
      "Sends all providers that match the filters of a search, in its order, from one snapshot: as NDJSON, a record per line, or as CSV. Counts as one request per 100 rows begun, before the first byte. If the connection is cut, rows are missing; a complete answer ends as HTTP says.",
    query: ExportParameters,
    answer: {
      description:
        "The matching providers, one per line. The schema is that of a line.",
      contentType: "application/x-ndjson",
      schema: ProviderRecord,
      headers: ["X-Total-Count", "Content-Disposition"],
    },
    codes: [
      "invalid_parameter",
      "details_not_held",
      "snapshot_gone",
      "snapshot_behind",
      "too_many_exports",
      "exports_busy",
    ],
  },
  handler:
    ({ exports }) =>
    (request, reply) =>
      exports.answer(request, reply),
} satisfies Route;
