import { Type } from "typebox";
import type { TObject, TSchema } from "typebox";
import type { ApiErrorCode } from "../../contract/errors.ts";
import {
  CHANGES_EXAMPLE,
  DETAILS_EXAMPLE,
  LOCATED_EXAMPLE,
  LOOKUP_EXAMPLE,
  NEARBY_EXAMPLE,
  SEARCH_EXAMPLE,
  STATUS_EXAMPLE,
  WITHHELD_EXAMPLE,
} from "../../contract/examples.ts";
import {
  ChangesParameters,
  LookupParameters,
  NearbyParameters,
  NoParameters,
  NpiParameter,
  SearchParameters,
} from "../../contract/parameters.ts";
import {
  ChangesAnswer,
  LookupAnswer,
  NearbyAnswer,
  SearchAnswer,
  StatusAnswer,
} from "../../contract/answers.ts";
import type { HeaderName } from "../pipeline/response-headers.ts";

/** A path of the service, as the OpenAPI document describes it. */
export interface Operation {
  readonly path: string;
  readonly operationId: string;
  readonly tag: "Providers" | "Service";
  readonly summary: string;
  readonly description: string;
  readonly pathParameters: Readonly<Record<string, TSchema>>;
  readonly query: TObject;
  /** Whether it needs a key, states limits, and can be asked conditionally. */
  readonly authenticated: boolean;
  readonly answer: Answer;
  /** Where it leads instead of answering, and when; absent where it never does. */
  readonly redirect?: string;
  /** The codes that it can answer with besides `COMMON_CODES` and, where it needs a key, `KEY_CODES`. */
  readonly codes: readonly ApiErrorCode[];
}

export interface Answer {
  readonly description: string;
  readonly contentType: string;
  readonly schema: TSchema;
  readonly examples: Readonly<Record<string, unknown>>;
  readonly headers: readonly HeaderName[];
}

/** What any path can answer with. */
export const COMMON_CODES: readonly ApiErrorCode[] = [
  "malformed_request",
  "method_not_allowed",
  "uri_too_long",
  "headers_too_large",
  "internal_error",
];

/** What any path that needs a key can answer with. */
export const KEY_CODES: readonly ApiErrorCode[] = [
  "missing_api_key",
  "invalid_api_key",
  "account_suspended",
  "too_many_failures",
  "rate_limit_exceeded",
  "quota_exceeded",
  "data_not_loaded",
  "accounts_unavailable",
];

const NO_PARAMETERS = Type.Object({});

export const OPERATIONS: readonly Operation[] = [
  {
    path: "/v1/providers/{npi}",
    operationId: "getProvider",
    tag: "Providers",
    summary: "Look up a provider by NPI",
    description:
      "The record of one provider. The number's format and check digit are checked before the data is asked. The record of a deactivated NPI shows the last details that this installation held; where it never held any, every member but `npi`, `status` and `deactivation_date` is null. `include` adds members to the record; without it they are not there.",
    pathParameters: { npi: NpiParameter },
    query: LookupParameters,
    authenticated: true,
    answer: {
      description: "The provider's record.",
      contentType: "application/json",
      schema: LookupAnswer,
      examples: {
        "An individual": LOOKUP_EXAMPLE,
        "An individual, with all that can be included": DETAILS_EXAMPLE,
        "A deactivated NPI without details": WITHHELD_EXAMPLE,
      },
      headers: [],
    },
    codes: [
      "invalid_npi",
      "invalid_parameter",
      "details_not_held",
      "provider_not_found",
      "details_unreadable",
    ],
  },
  {
    path: "/v1/providers/search",
    operationId: "searchProviders",
    tag: "Providers",
    summary: "Search providers by name, place and specialty",
    description:
      "All filters given must match; without any, all providers are listed. Texts are compared without regard to case, accents, apostrophes and periods, and hyphens count as spaces. Whole-field matches come first, then matches at the beginning of words, then the rest; inside these, and without a name, the order is state, city, ZIP code, NPI. With `name_scope` and `taxonomy_scope` filters match other names and taxonomies too. `total` is always exact, and every page can be asked for.",
    pathParameters: {},
    query: SearchParameters,
    authenticated: true,
    answer: {
      description: "One page of the providers that match.",
      contentType: "application/json",
      schema: SearchAnswer,
      examples: { "One match": SEARCH_EXAMPLE },
      headers: ["Link"],
    },
    codes: ["invalid_parameter", "details_not_held"],
  },
  {
    path: "/v1/providers/nearby",
    operationId: "searchNearby",
    tag: "Providers",
    summary: "Search providers by distance",
    description:
      "The providers within a radius of a ZIP code's centroid or of a point, nearest first, ties by NPI. Either `zip`, or both `lat` and `lng`, must be given; with all three the pair is the centre. A provider stands at the centroid of the ZIP code of its practice address, so distances suit discovery, not routing; one whose ZIP code has no known place is found by search only. With `location_scope` providers are found at their secondary locations too.",
    pathParameters: {},
    query: NearbyParameters,
    authenticated: true,
    answer: {
      description: "One page of the providers around the centre.",
      contentType: "application/json",
      schema: NearbyAnswer,
      examples: {
        "One provider": NEARBY_EXAMPLE,
        "One provider, with location_scope=any": LOCATED_EXAMPLE,
      },
      headers: ["Link"],
    },
    codes: [
      "invalid_parameter",
      "invalid_location",
      "details_not_held",
      "details_unreadable",
    ],
  },
  {
    path: "/v1/changes",
    operationId: "listChanges",
    tag: "Providers",
    summary: "List what changed",
    description:
      "The providers whose records an import of this service added, changed, deactivated, reactivated or removed, in the order in which they were taken up, and by NPI within one import. Begin with `since`, or with nothing for all that is kept, and go on with `meta.next_cursor`, which stays good across updates. An import that was rolled back is not in the list.",
    pathParameters: {},
    query: ChangesParameters,
    authenticated: true,
    answer: {
      description: "Some of the changes, the oldest first.",
      contentType: "application/json",
      schema: ChangesAnswer,
      examples: { "One change": CHANGES_EXAMPLE },
      headers: [],
    },
    codes: ["invalid_parameter", "cursor_gone"],
  },
  {
    path: "/v1/status",
    operationId: "getStatus",
    tag: "Service",
    summary: "What is served, and how old it is",
    description:
      "The data at a glance, without a key: how far they reach, how old they are, how many records there are, when new ones are looked for. It is not counted.",
    pathParameters: {},
    query: NoParameters,
    authenticated: false,
    answer: {
      description: "The state of the data.",
      contentType: "application/json",
      schema: StatusAnswer,
      examples: { "Data of three days ago": STATUS_EXAMPLE },
      headers: [],
    },
    codes: ["invalid_parameter", "data_not_loaded"],
  },
  {
    path: "/healthz",
    operationId: "getHealth",
    tag: "Service",
    summary: "Whether the process lives",
    description: "200 as long as the process answers, with or without data.",
    pathParameters: {},
    query: NO_PARAMETERS,
    authenticated: false,
    answer: {
      description: "It lives.",
      contentType: "application/json",
      schema: Type.Object({
        data: Type.Object({ status: Type.Literal("ok") }),
        meta: Type.Object({}),
      }),
      examples: { Alive: { data: { status: "ok" }, meta: {} } },
      headers: [],
    },
    codes: [],
  },
  {
    path: "/readyz",
    operationId: "getReadiness",
    tag: "Service",
    summary: "Whether data is loaded",
    description:
      "200 once a snapshot of the registry is loaded, 503 `data_not_loaded` before.",
    pathParameters: {},
    query: NO_PARAMETERS,
    authenticated: false,
    answer: {
      description: "Data is loaded.",
      contentType: "application/json",
      schema: Type.Object({
        data: Type.Object({
          status: Type.Literal("ready"),
          warning: Type.Union([Type.String(), Type.Null()], {
            description:
              "A sentence while the accounts' database cannot be written, as on a full disk: what is used is kept in memory until it can be.",
          }),
        }),
        meta: Type.Object({
          source: Type.String({
            description: "The origin of the data, and how far it reaches.",
          }),
        }),
      }),
      examples: {
        Ready: {
          data: { status: "ready", warning: null },
          meta: LOOKUP_EXAMPLE.meta,
        },
      },
      headers: [],
    },
    codes: ["data_not_loaded"],
  },
  page("/openapi.json", "getOpenapi", "This document", "application/json"),
  page(
    "/docs",
    "getDocs",
    "The operations, to read and to try",
    "text/html",
    "The portal's reference, where the installation has a portal.",
  ),
  page(
    "/docs/errors",
    "getErrorDocs",
    "The error codes, explained",
    "text/html",
    "The page of the portal's guide, for browsers (they rank `text/html` first in `Accept`) where the installation has a portal. The code behind `#` is kept.",
  ),
];

function page(
  path: string,
  operationId: string,
  summary: string,
  contentType: string,
  redirect?: string,
): Operation {
  return {
    ...(redirect === undefined ? {} : { redirect }),
    path,
    operationId,
    tag: "Service",
    summary,
    description: `${summary}. Nothing in it is loaded from another host.`,
    pathParameters: {},
    query: NO_PARAMETERS,
    authenticated: false,
    answer: {
      description: `${summary}.`,
      contentType,
      schema: contentType === "text/html" ? Type.String() : Type.Object({}),
      examples: {},
      headers: [],
    },
    codes: [],
  };
}
