import { Type, type Static } from "typebox";
import { MAX_FACET_VALUES, MAX_MAP_PLACES, MAX_MAP_ROWS } from "../filters.ts";
import { strict, text, whole } from "../schemas.ts";

/** The responses for the explorer's map and facets. `MapSearchParameters` and `MapNearbyParameters` are what it sends. */

/** West, south, east, and north end in decimal degrees. If west is greater than east, they cross the 180th meridian. */
export type MapBounds = readonly [
  west: number,
  south: number,
  east: number,
  north: number,
];

/** `[zip, lat, lng, count]`: a ZIP or the first three digits of several, a point on land, how many providers match. */
const MapRow = Type.Tuple([
  Type.String({ pattern: "^[0-9]{3}([0-9]{2})?$" }),
  Type.Number(),
  Type.Number(),
  Type.Integer({ minimum: 1 }),
]);

const FacetValue = strict({
  text: text("A display name, `CITY, ST`, or the filter's value."),
  filters: strict({
    taxonomy: Type.Optional(text("A code.")),
    city: Type.Optional(text("With its state.")),
    state: Type.Optional(text("A two-letter code.")),
    entity_type: Type.Optional(text("As the filter has it.")),
    status: Type.Optional(text("As the filter has it.")),
  }),
  total: whole("How many providers the search finds with these filters, too."),
});

const Facet = strict({
  name: Type.Enum(["specialty", "city", "entity_type", "status"], {
    type: "string",
  }),
  values: Type.Array(FacetValue, {
    maxItems: MAX_FACET_VALUES,
    description: "Those of the most providers, these first.",
  }),
});

export const MapAnswer = Type.Object(
  {
    data: Type.Array(MapRow, {
      maxItems: MAX_MAP_ROWS,
      description:
        "In the order of ZIPs. A group is at the one of its ZIPs that is nearest to their center, weighted by providers.",
    }),
    facets: Type.Array(Facet, {
      description: "Ways to narrow the search; none with `bounds`.",
    }),
    meta: strict({
      total: whole("How many providers match."),
      located: whole("How many of them have a ZIP with a known location."),
      shown: whole(
        "How many of these are in `data`: all, or those in `bounds`.",
      ),
      grouped_by: Type.Enum(["zip", "zip3"], {
        type: "string",
        description:
          "`zip3`, the first three digits, if there are more than 5,000 ZIPs.",
      }),
      radius_miles: Type.Optional(Type.Number()),
      center: Type.Optional(
        Type.Object({
          zip: Type.String(),
          lat: Type.Number(),
          lng: Type.Number(),
        }),
      ),
    }),
  },
  { title: "MapAnswer", additionalProperties: false },
);

/**
 * `[city, state, lat, lng, count]`: a city in capitals without accents, a state code, a point on land, its providers.
 */
const MapPlace = Type.Tuple([
  Type.String(),
  Type.String({ pattern: "^[A-Z]{2}$" }),
  Type.Number(),
  Type.Number(),
  Type.Integer({ minimum: 1 }),
]);

export const MapPlacesAnswer = Type.Object(
  {
    data: Type.Array(MapPlace, {
      maxItems: MAX_MAP_PLACES,
      description: "The cities with the most providers, the largest first.",
    }),
    meta: strict({ count: Type.Integer() }),
  },
  { title: "MapPlacesAnswer", additionalProperties: false },
);

export type MapPlace = Static<typeof MapPlace>;
export type MapPlacesAnswer = Static<typeof MapPlacesAnswer>;
export type Facet = Static<typeof Facet>;
export type FacetValue = Static<typeof FacetValue>;
export type MapRow = Static<typeof MapRow>;
export type MapAnswer = Static<typeof MapAnswer>;
export type MapMeta = MapAnswer["meta"];
