import { ProviderRecord } from "../../contract/provider.ts";
import { EXPORT_EXAMPLE } from "../../contract/examples.ts";
import { ExportParameters } from "../../contract/parameters.ts";
import { ROW_FORMATS, titlesOf } from "../../contract/row-formats.ts";
import { allOf, oneOf } from "../../text/lists.ts";
import {
  parseExport,
  rowsOfExport,
  type ExportRequest,
} from "../exports/export-request.ts";
import { rowOperation, type RowSource } from "../exports/row-operation.ts";
import { exposing } from "../pipeline/headers.ts";
import { missingDataFailure } from "../queries/data-operation.ts";
import type { Route } from "./route.ts";

/** All results of a search, in a client's format. */
const EXPORT: RowSource<ExportRequest, ExportRequest> = {
  parse: (target) => parseExport(target),
  pinned: ({ parameters }) => parameters.snapshot,
  key: ({ parameters }) => `export ${JSON.stringify(parameters)}`,
  resolve: (data, request) =>
    missingDataFailure(request.parameters, data) ?? request,
  rows: (data, { parameters }) => rowsOfExport(data, parameters),
  name: ({ id }) => `providers-${id}`,
  find(data, { parameters }) {
    const found = data.search.all(parameters);
    return { total: found.total, first: () => found };
  },
  headers: exposing("Content-Disposition", "X-Total-Count"),
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
    summary: "Download all results of a search",
    description: `Sends all providers that match the filters of a search, in its order, from one snapshot, as ${oneOf(ROW_FORMATS.map(({ title }) => title))}. Counts as one request per 100 rows begun, all or none, before the first byte; HEAD gives the total and counts as one. \`include\` adds to the lines of ${allOf(titlesOf(false))}, \`columns\` chooses those of ${allOf(titlesOf(true))}. If something fails after that, the connection is cut, so that your HTTP client reports an incomplete response.`,
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
    codes: ["details_not_held", "too_many_at_once"],
  },
  handler: ({ files, from }) => from(rowOperation(files, EXPORT)),
} satisfies Route;

/** Returns the media type of a format, without parameters. */
function mediaTypeOf({ contentType }: { contentType: string }): string {
  return contentType.replace(/;.*/, "");
}
