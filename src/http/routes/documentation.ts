import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyError, FastifyInstance } from "fastify";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { prefersPage } from "../pipeline/accept.ts";
import { sharedBytes } from "../pipeline/compression.ts";
import { errorsPage } from "../openapi/errors-page.ts";
import { ERRORS_PATH, notFound } from "../pipeline/failure.ts";
import type { Refuse } from "../pipeline/failure.ts";
import { JSON_TYPE, PAGE_HEADERS } from "../pipeline/headers.ts";
import { sendFile } from "../pages/send-file.ts";
import { swaggerFiles } from "../pages/swagger-files.ts";

const STATIC = "/docs/static/";
const YAML_TYPE = "application/x-yaml";
const GUIDE_TO_ERRORS = PAGE_PATHS["guide-page"].replace(":page", "errors");

/** `GET /openapi.json`: the machine-readable description, without a key. */
export function addOpenapi(app: FastifyInstance, documentText: string): void {
  const bytes = sharedBytes(Buffer.from(documentText));
  app.get("/openapi.json", (_request, reply) => {
    reply
      .type("application/json; charset=utf-8")
      .header("cache-control", "no-cache");
    return reply.send(bytes);
  });
}

/**
 * `GET /docs`, the same to read and to try, and `GET /docs/errors`, to which every error leads; without a key. Where the
 * portal has pages for them, browsers are sent there: `/docs` to the reference, `/docs/errors` to its page of the guide,
 * where they take the code along that the address names behind `#`. Programs, which run no page, get the codes at once.
 */
export async function addDocumentationPages(
  app: FastifyInstance,
  documentText: string,
  refuse: Refuse,
  hasPages: boolean,
): Promise<void> {
  const errorsHtml = sharedBytes(Buffer.from(errorsPage()));

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

  app.get(ERRORS_PATH, (request, reply) => {
    reply.header("vary", "Accept");
    if (hasPages && prefersPage(request.headers.accept))
      return reply.redirect(GUIDE_TO_ERRORS, 302);
    reply.type("text/html; charset=utf-8").header("cache-control", "no-cache");
    return reply.send(errorsHtml);
  });

  if (hasPages) {
    app.get("/docs", (_request, reply) =>
      reply.redirect(PAGE_PATHS.reference, 302),
    );
    return;
  }
  await app.register(swagger, {
    mode: "static",
    specification: { document: JSON.parse(documentText) },
  });
  const yaml = once(() =>
    sharedBytes(Buffer.from(app.swagger({ yaml: true }))),
  );
  const json = sharedBytes(Buffer.from(documentText));
  const files = swaggerFiles();
  // Before the library's own handlers, which make the bytes for each request.
  app.addHook("onRequest", (request, reply, done) => {
    const [path = ""] = request.url.split("?");
    const file =
      path.startsWith(STATIC) && files.get(path.slice(STATIC.length));
    if (file) void sendFile(request, reply, file);
    else if (path === "/docs/json") void reply.type(JSON_TYPE).send(json);
    else if (path === "/docs/yaml") void reply.type(YAML_TYPE).send(yaml());
    else done();
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

/** Makes something when it is first asked for. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}
