import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyError, FastifyInstance } from "fastify";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { errorsPage } from "../errors-page.ts";
import { ERRORS_PATH, notFound } from "../failure.ts";
import type { Refuse } from "../failure.ts";
import { PAGE_HEADERS } from "../fixed-headers.ts";

/** `GET /openapi.json`: the machine-readable description, without a key. */
export function addOpenapi(app: FastifyInstance, documentText: string): void {
  app.get("/openapi.json", (_request, reply) => {
    reply
      .type("application/json; charset=utf-8")
      .header("cache-control", "no-cache");
    return documentText;
  });
}

/**
 * `GET /docs`, the same to read and to try, and `GET /docs/errors`, to which every error links; without a key. Where the
 * portal shows the reference, `/docs` leads there.
 */
export async function addDocumentationPages(
  app: FastifyInstance,
  documentText: string,
  refuse: Refuse,
  hasReference: boolean,
): Promise<void> {
  const errorsHtml = errorsPage();

  // A path out of the folder of files (`/docs/static/..`) is forbidden to them; to clients it is one that is not there.
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error.statusCode !== 403) throw error;
    return refuse(request, reply, notFound());
  });

  app.addHook("onSend", (_request, reply, payload, done) => {
    reply.headers(PAGE_HEADERS);
    if (!reply.hasHeader("cache-control"))
      reply.header("cache-control", "no-cache");
    done(null, payload);
  });

  app.get(ERRORS_PATH, (_request, reply) => {
    reply.type("text/html; charset=utf-8").header("cache-control", "no-cache");
    return errorsHtml;
  });

  if (hasReference) {
    app.get("/docs", (_request, reply) =>
      reply.redirect(PAGE_PATHS.reference, 302),
    );
    return;
  }
  await app.register(swagger, {
    mode: "static",
    specification: { document: JSON.parse(documentText) },
  });
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    theme: { title: "Provider directory API" },
    uiConfig: {
      // Without the bar at the top, which asks for the addresses of other documents.
      layout: "BaseLayout",
      docExpansion: "list",
      tryItOutEnabled: true,
      persistAuthorization: false,
    },
  });
}
