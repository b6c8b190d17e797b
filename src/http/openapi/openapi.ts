import type { TSchema } from "typebox";
import manifest from "../../../package.json" with { type: "json" };
import * as answers from "../../contract/answers.ts";
import * as details from "../../contract/details.ts";
import * as errors from "../../contract/errors/error-answer.ts";
import { REGISTRY_COMPONENTS } from "../../contract/npi-registry/answer.ts";
import * as provider from "../../contract/provider.ts";
import {
  failureRefs,
  failureResponses,
  headerRefs,
  namedExamples,
  toJson,
  type Json,
  type JsonObject,
} from "./openapi-failures.ts";
import {
  describedRoutes,
  isKeyed,
  publishedPath,
  type Access,
  type DescribedRoute,
  type Route,
} from "../routes/route.ts";
import { REQUEST_ID } from "../pipeline/headers.ts";
import {
  CACHE_HEADERS,
  LIMIT_HEADERS,
  RESPONSE_HEADERS,
} from "../pipeline/response-headers.ts";

const DESCRIPTION = `Read-only access to the records of the U.S. national provider registry (NPPES).

A record confirms only that the provider is enumerated in the registry. It does not confirm licensure, board certification, acceptance of new patients, network participation, or current practice at the listed address.

Every path accepts GET and HEAD, and OPTIONS for CORS. A blank parameter is treated as missing; an unknown or repeated one is an error. A success is an object with \`data\` and \`meta\`, a failure an object with \`error\`. Clients that accept \`application/problem+json\` get errors in the format of RFC 9457. A path that does not exist is 404 \`not_found\`.`;

/** The schemas with a title. */
const COMPONENTS: readonly TSchema[] = [
  ...[answers, provider, details, errors]
    .flatMap((file) => Object.values<unknown>(file))
    .filter(isComponent),
  ...REGISTRY_COMPONENTS,
];
const OF_REGISTRY_API: ReadonlySet<TSchema> = new Set<TSchema>(
  REGISTRY_COMPONENTS,
);

/** The groups of operations: one for each access. */
const TAGS: readonly { access: Access; name: string; description: string }[] = [
  {
    access: "key",
    name: "Providers",
    description: "The registry's records. These operations require an API key.",
  },
  {
    access: "registry_api",
    name: "NPI Registry API",
    description:
      "The registry's own API v2.1, with its rules: an unknown parameter is ignored, and its errors have status 200. It requires an API key, unless the operator opens it.",
  },
  {
    access: "public",
    name: "Service",
    description: "The service itself. No API key required.",
  },
];

const API_KEY_AS_USER = {
  type: "http",
  scheme: "basic",
  description:
    "Send the API key as the user name, such as in `https://<API key>:x@host/api/`. The password is ignored.",
};

const REQUEST_ID_PARAMETER = {
  "X-Request-Id": {
    type: "string",
    pattern: REQUEST_ID.source,
    description:
      "Your own id for this request. It is logged and sent back. An id that does not match the pattern, or has an API key in it, is replaced.",
  },
};
const CONDITIONS = {
  "If-None-Match": {
    type: "string",
    description:
      "Entity tags of responses that you have cached. A match returns 304, which is free. `*` matches any response, but that 304 counts against the quota.",
  },
  "If-Modified-Since": {
    type: "string",
    description:
      "The `Last-Modified` of a response that you have cached. Ignored if `If-None-Match` is present. This 304 counts against the quota: only an entity tag proves that you have the response.",
  },
};

const RANGES = {
  Range: {
    type: "string",
    description:
      "The bytes to send, such as `bytes=0-1023`, with status 206. Several ranges get the whole file.",
  },
  "If-Range": {
    type: "string",
    description:
      "The `ETag` of the part that you have. If the file has another one, all of it is sent.",
  },
};

/** Used in examples if the service's URL is unknown. */
const EXAMPLE_URL = "https://directory.example";

/** Makes the service's OpenAPI 3.1 document of some routes. */
export function openapiDocument(
  routes: readonly Route[],
  publicUrl: string | null,
): JsonObject {
  const described = describedRoutes(routes);
  const hasRegistryApi = described.some(
    ({ access }) => access === "registry_api",
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "Provider directory",
      version: manifest.version,
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: publicUrl ?? "/" }],
    tags: TAGS.filter((tag) =>
      described.some(({ access }) => access === tag.access),
    ).map(({ description, name }) => ({ name, description })),
    security: [{ apiKey: [] }],
    paths: Object.fromEntries(
      described.map((route) => [
        publishedPath(route.path),
        { get: operationOf(route) },
      ]),
    ),
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "pd_live_ and 36 letters and digits",
          description:
            "Send the API key in the header `Authorization: Bearer <API key>`. It is not accepted anywhere else. Its scope is `providers:read`.",
        },
        ...(hasRegistryApi ? { apiKeyAsUser: API_KEY_AS_USER } : {}),
      },
      headers: Object.fromEntries(
        Object.entries(RESPONSE_HEADERS).map(
          ([name, { description, example }]) => [
            name,
            { description, schema: { type: "string" }, example },
          ],
        ),
      ),
      responses: failureResponses(described, publicUrl ?? EXAMPLE_URL),
      schemas: Object.fromEntries(
        COMPONENTS.filter(
          (schema) => hasRegistryApi || !OF_REGISTRY_API.has(schema),
        ).map((schema) => [
          titleOf(schema),
          publish(toJson(schema), titleOf(schema)),
        ]),
      ),
    },
  };
}

/** Makes the document in the repository, without a service's URL. */
export function openapiText(routes: readonly Route[]): string {
  return `${JSON.stringify(openapiDocument(routes, null), null, 2)}\n`;
}

function operationOf(route: DescribedRoute): JsonObject {
  const { access, described } = route;
  const { description, operationId, pathParameters, query, summary } =
    described;
  return {
    operationId,
    tags: TAGS.filter(
      (tag) => tag.access === (access === "file" ? "key" : access),
    ).map(({ name }) => name),
    summary,
    description,
    ...securityOf(access),
    parameters: [
      ...parametersIn("path", pathParameters),
      ...parametersIn("query", query?.properties),
      ...parametersIn("header", {
        ...REQUEST_ID_PARAMETER,
        ...(isKeyed(access) ? CONDITIONS : {}),
        ...(described.answer.hasRanges === true ? RANGES : {}),
      }),
    ],
    responses: { ...successes(route), ...failureRefs(route) },
  };
}

/** Returns what an operation says of its keys; nothing if it is what the document says of all. */
function securityOf(access: Access): JsonObject {
  if (access === "key" || access === "file") return {};
  return access === "registry_api"
    ? { security: [{ apiKey: [] }, { apiKeyAsUser: [] }] }
    : { security: [] };
}

function parametersIn(
  place: "path" | "query" | "header",
  schemas: Readonly<Record<string, object>> = {},
): Json[] {
  return Object.entries(schemas).map(([name, schema]) => {
    const { description = "", "x-rule": _, ...rest } = toJson(schema);
    const facts = { name, in: place, required: place === "path", description };
    // A list is one comma-separated value.
    const list = { style: "form", explode: false, schema: rest };
    return Object.assign(
      facts,
      rest["type"] === "array" ? list : { schema: rest },
    );
  });
}

function successes({ access, described }: DescribedRoute): JsonObject {
  const { answer, redirect } = described;
  const {
    contentTypes = ["application/json"],
    examples = {},
    texts = {},
  } = answer;
  const hasKey = isKeyed(access);
  const cached = hasKey
    ? [...LIMIT_HEADERS, ...CACHE_HEADERS]
    : ["Cache-Control"];
  const content = {
    schema: publish(toJson(answer.schema), ""),
    ...(Object.keys(examples).length === 0
      ? {}
      : { examples: namedExamples(examples) }),
  };
  const ok = {
    description: answer.description,
    headers: headerRefs(["X-Request-Id", ...cached, ...(answer.headers ?? [])]),
    content: {
      ...Object.fromEntries(contentTypes.map((type) => [type, content])),
      ...Object.fromEntries(
        Object.entries(texts).map(([type, example]) => [
          type,
          { schema: { type: "string" }, example },
        ]),
      ),
    },
  };
  const part = {
    ...ok,
    description: "The range that `Range` asks for.",
    headers: { ...ok.headers, ...headerRefs(["Content-Range"]) },
  };
  const unchanged = {
    description:
      "Your cached response is current. Free if a tag in `If-None-Match` proves it; with `If-None-Match: *` or `If-Modified-Since` it counts against the quota.",
    headers: headerRefs(["X-Request-Id", ...cached]),
  };
  return {
    "200": ok,
    ...(answer.hasRanges === true ? { "206": part } : {}),
    ...(redirect === undefined ? {} : { "302": redirection(redirect) }),
    ...(hasKey ? { "304": unchanged } : {}),
  };
}

function redirection(description: string): Json {
  const location = {
    description: "The path of that page.",
    schema: { type: "string" },
  };
  const headers = { ...headerRefs(["X-Request-Id"]), Location: location };
  return { description, headers };
}

/** Replaces components by references, except for the component `except`. */
function publish(node: Json, except: string): Json {
  if (Array.isArray(node)) return node.map((item) => publish(item, except));
  if (node === null || typeof node !== "object") return node;
  const { title } = node;
  if (
    typeof title === "string" &&
    title !== except &&
    COMPONENTS.some((schema) => titleOf(schema) === title)
  ) {
    const reference = { $ref: `#/components/schemas/${title}` };
    if (!Array.isArray(node["type"])) return reference;
    return {
      anyOf: [reference, { type: "null" }],
      description: node["description"] ?? "",
    };
  }
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, publish(value, except)]),
  );
}

function titleOf(schema: TSchema): string {
  return String(Reflect.get(schema, "title"));
}

function isComponent(exported: unknown): exported is TSchema {
  return (
    typeof exported === "object" && exported !== null && "title" in exported
  );
}
