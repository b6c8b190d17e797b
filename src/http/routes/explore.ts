import type { FastifyReply } from "fastify";
import { Type, type Static } from "typebox";
import type { Directory } from "../../search/directory.ts";
import type { Point, TaxonomyCount } from "../../search/query.ts";
import { JSON_FORMAT } from "../../search/render/formats.ts";
import { countPage, spentMonth } from "../access/explorer-gate.ts";
import { MAX_TEXT_CHARACTERS } from "../../contract/parameters.ts";
import { isCounted, logCause } from "../pipeline/answer-data.ts";
import type { Failure } from "../pipeline/failure.ts";
import { JSON_TYPE } from "../pipeline/headers.ts";
import {
  dataNotLoaded,
  isFailure,
  type Address,
  type DataOperation,
  type Found,
} from "../queries/data-operation.ts";
import {
  queryOf,
  parameterFailure,
  queryReader,
} from "../queries/query-string.ts";
import { WHOLE_RECORD } from "./lookup.ts";
import { NEARBY, type NearbyAsked, type PlacedNearby } from "./nearby.ts";
import type { Route } from "./route.ts";
import { SEARCH } from "./search.ts";

const MOST_TAXONOMIES = 20;
const MOST_ZIPS = 5_000;

const TaxonomiesParameters = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        maxLength: MAX_TEXT_CHARACTERS,
        "x-rule": `at most ${MAX_TEXT_CHARACTERS} characters`,
      }),
    ),
  },
  { additionalProperties: false },
);

/** All steps of an operation but the last. */
function run<Asked extends object, Query extends object, Result extends Found>(
  operation: DataOperation<Asked, Query, Result>,
  data: Directory,
  address: Address,
): Result | Failure {
  const asked = operation.parse(address);
  if (isFailure(asked)) return asked;
  const query = operation.resolve(data, asked);
  return isFailure(query) ? query : operation.execute(data, query);
}

function pairOf(point: Point | null): [number, number] | null {
  return point && [point.lat, point.lng];
}

/** The ZIPs at which all providers of a nearby query stand. */
const MAP: DataOperation<
  NearbyAsked,
  PlacedNearby,
  Found & { readonly data: unknown; readonly meta: unknown }
> = {
  parse: NEARBY.parse,
  key: NEARBY.key,
  resolve: NEARBY.resolve,
  execute(data, { center, query }) {
    const { isTruncated, total, zips } = data.nearbyZips(query, MOST_ZIPS);
    return {
      data: zips.map(({ count, lat, lng, zip }) => [zip, lat, lng, count]),
      meta: {
        count: zips.length,
        total,
        truncated: isTruncated,
        radius_miles: query.radius,
        center,
      },
    };
  },
  render: (_data, answer) => JSON.stringify(answer),
};

const readTaxonomiesQuery = queryReader(TaxonomiesParameters);

/** Taxonomies to choose from, while somebody types. */
const TAXONOMIES: DataOperation<
  Static<typeof TaxonomiesParameters>,
  Static<typeof TaxonomiesParameters>,
  Found & { readonly data: readonly TaxonomyCount[] }
> = {
  parse({ url }) {
    const { problems, value } = readTaxonomiesQuery(queryOf(url));
    return value ?? parameterFailure(problems);
  },
  key: ({ q }) => q ?? "",
  resolve: (_data, asked) => asked,
  execute: (data, { q = "" }) => ({
    data: data.suggestTaxonomies(q, MOST_TAXONOMIES),
  }),
  render: (_data, { data: found }) =>
    JSON.stringify({ data: found, meta: { count: found.length } }),
};

/**
 * `/explore/*`: what the portal's explorer shows. It answers as `/v1` does, with the places of what is found, to the
 * service's own pages; without a key, within a burst limit for each client address. Where only those who are signed in may
 * explore, each page counts against a month of their account that is apart from its keys'.
 */
export const EXPLORER_ROUTES: readonly Route[] = [
  explorerRoute("/explore/providers/:npi", WHOLE_RECORD),
  explorerRoute("/explore/search", SEARCH),
  explorerRoute("/explore/nearby", NEARBY),
  explorerRoute("/explore/map", MAP),
  // They say nothing of providers and come with every letter that is typed.
  explorerRoute("/explore/taxonomies", TAXONOMIES, { counts: false }),
];

function explorerRoute<
  Asked extends object,
  Query extends object,
  Result extends Found,
>(
  path: string,
  operation: DataOperation<Asked, Query, Result>,
  { counts = true } = {},
): Route {
  return {
    method: "GET",
    path,
    access: "explorer",
    counted: "explorer",
    handler({ deps, refuse }) {
      const { portal } = deps;
      if (portal === null) return null;
      return (request, reply): FastifyReply => {
        const data = deps.data.current;
        if (data === null) return refuse(request, reply, dataNotLoaded());
        const spent = counts ? spentMonth(deps, request) : null;
        if (spent !== null) return refuse(request, reply, spent);
        const found = run(operation, data, request);
        if (isFailure(found)) logCause(deps, request, found);
        const uncounted =
          counts && (!isFailure(found) || isCounted(found))
            ? countPage(deps, portal.bursts, request, reply)
            : null;
        if (uncounted !== null) return refuse(request, reply, uncounted);
        if (isFailure(found)) return refuse(request, reply, found);
        const points = found.hits?.map((hit) => pairOf(data.pointOf(hit)));
        const members = points === undefined ? {} : { points };
        return reply
          .type(JSON_TYPE)
          .send(operation.render(data, found, members, JSON_FORMAT));
      };
    },
  };
}
