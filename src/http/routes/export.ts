import { ProviderRecord } from "../../contract/provider.ts";
import { EXPORT_CSV_EXAMPLE, EXPORT_EXAMPLE } from "../../contract/examples.ts";
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
      "Sends all providers that match the filters of a search, in its order, from one snapshot: as NDJSON, a record per line, or as CSV. Counts as one request per 100 rows begun, all or none, before the first byte. If something fails after that, the connection is cut, so that your HTTP client reports an incomplete response.",
    query: ExportParameters,
    answer: {
      description:
        "The matching providers, one per line; the schema is that of a line. CSV has a header and a row for each provider.",
      contentType: "application/x-ndjson",
      schema: ProviderRecord,
      examples: { "A line": EXPORT_EXAMPLE },
      texts: { "text/csv": EXPORT_CSV_EXAMPLE },
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
  handler: ({ exports }) => exports,
} satisfies Route;
