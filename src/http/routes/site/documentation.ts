import { Type } from "typebox";
import { dataAge } from "../../../contract/data-age.ts";
import { PAGE_PATHS } from "../../../site/page-paths.ts";
import { publicPath } from "../../../text/public-path.ts";
import { openapiDocument } from "../../openapi/openapi.ts";
import { errorsPage, referencePage } from "../../pages/plain-pages.ts";
import { prefersPage } from "../../pipeline/accept.ts";
import { sharedBytes } from "../../pipeline/compression.ts";
import { ERRORS_PATH } from "../../pipeline/failure-reply.ts";
import { HTML_TYPE, JSON_TYPE, PAGE_HEADERS } from "../../pipeline/headers.ts";
import { content, redirect, type Handler } from "../../call.ts";
import { hasPages, type Route, type RouteContext } from "../route.ts";

const GUIDE_TO_ERRORS = PAGE_PATHS["guide-page"].replace(":page", "errors");
const NO_CACHE = ["cache-control", "no-cache"];
const OF_PAGES = [...Object.entries(PAGE_HEADERS).flat(), ...NO_CACHE];

/** `GET /openapi.json`, without a key. */
export const OPENAPI_ROUTE: Route = {
  method: "GET",
  path: "/openapi.json",
  access: "public",
  counted: "documentation",
  described: {
    operationId: "getOpenapi",
    summary: "OpenAPI document",
    description: "This document.",
    answer: { description: "This document.", schema: Type.Object({}) },
  },
  handler(context) {
    const { publicUrl } = context.deps.settings;
    const document = madeFor(
      () => publicUrl,
      (url) => JSON.stringify(openapiDocument(ownRoutes(context), url)),
    );
    return () => content(document(), JSON_TYPE, NO_CACHE);
  },
};

/** `GET /docs` redirects to the portal's reference, or is a plain one without the portal. */
export const DOCS_ROUTE: Route = {
  method: "GET",
  path: "/docs",
  access: "public",
  counted: "documentation",
  described: {
    operationId: "getDocs",
    summary: "API reference",
    description:
      "The API reference, for browsers. Nothing in it is loaded from another host.",
    redirect: "To the portal's reference, if the installation has a portal.",
    answer: {
      description: "The API reference.",
      contentTypes: ["text/html"],
      schema: Type.String(),
    },
  },
  handler: (context) =>
    hasPages(context.deps)
      ? () =>
          redirect(
            publicPath(context.deps.settings.publicUrl, PAGE_PATHS.reference),
            OF_PAGES,
          )
      : plainReference(context),
};

/**
 * `GET /docs/errors`, the target of every `doc_url`. Browsers are redirected to the portal's guide and keep the code
 * after `#`. Programs, which run no scripts, get the codes directly.
 */
export const ERROR_DOCS_ROUTE: Route = {
  method: "GET",
  path: ERRORS_PATH,
  access: "public",
  counted: "documentation",
  described: {
    operationId: "getErrorDocs",
    summary: "Error codes",
    description:
      "Explains every error code. Nothing in it is loaded from another host.",
    redirect:
      "To the portal's guide, for browsers (clients that rank `text/html` first in `Accept`), if the installation has a portal. The code after `#` is kept.",
    answer: {
      description: "The error codes.",
      contentTypes: ["text/html"],
      schema: Type.String(),
    },
  },
  handler(context) {
    const { deps } = context;
    const page = madePerWarning(context, errorsPage);
    const headers = [...OF_PAGES, "vary", "Accept"];
    const guide = publicPath(deps.settings.publicUrl, GUIDE_TO_ERRORS);
    return (call) =>
      hasPages(deps) && prefersPage(call.headers.accept)
        ? redirect(guide, headers)
        : content(page(), HTML_TYPE, headers);
  },
};

/** Serves the API reference for installations without the portal's pages. */
export function plainReference(context: RouteContext): Handler {
  const { publicUrl } = context.deps.settings;
  const page = madePerWarning(context, (warning) =>
    referencePage(ownRoutes(context), warning, publicUrl),
  );
  return () => content(page(), HTML_TYPE, OF_PAGES);
}

/** Makes a page again when the warning of stale data changes, once a day at most. */
function madePerWarning(
  { deps: { data, now } }: RouteContext,
  make: (warning: string | null) => string,
): () => Buffer {
  return madeFor(
    () => dataAge(data.current?.dataDate ?? null, now())?.warning ?? null,
    make,
  );
}

/** Makes a document for the first request, and when its key changes: most threads are never asked for it. */
function madeFor<Key>(
  keyOf: () => Key,
  make: (key: Key) => string,
): () => Buffer {
  let made: { readonly key: Key; readonly bytes: Buffer } | null = null;
  return () => {
    const key = keyOf();
    if (made?.key !== key)
      made = { key, bytes: sharedBytes(Buffer.from(make(key))) };
    return made.bytes;
  };
}

/** Lists the routes that the installation has; of those that are described, only the registry's own API may be off. */
function ownRoutes({ deps, routes }: RouteContext): readonly Route[] {
  return deps.settings.registryApi.mode === "off"
    ? routes.filter(({ access }) => access !== "registry_api")
    : routes;
}
