import type { Interpretation } from "../../contract/interpret.ts";
import {
  NearbyParameters,
  SearchParameters,
} from "../../contract/parameters.ts";
import { described, sent } from "../schemas.ts";
import { FLAG, TEXT, type Arguments } from "./tool.ts";
import { MAX_ROWS } from "./rows.ts";

/** The filters' meanings, in short: the API's reference has the rest. */
const MEANINGS = {
  name: "Words of a person's or organization's name",
  first_name: "Start of the first name",
  name_aliases: "Nicknames of first_name too",
  middle_initial: "",
  last_name: "Start of the last name",
  organization: "Words of the organization's name",
  name_scope: "any: former and other names too",
  city: "In full",
  state: "Two letters",
  zip: "5 digits",
  country: "Two letters",
  taxonomy: "NUCC code; see search_taxonomies",
  specialty: "Words of the specialty, everyday ones too",
  taxonomy_scope: "any: secondary specialties too",
  entity_type: "",
  status: "Both by default",
  last_updated_since: "YYYY-MM-DD",
  location_scope: "any: secondary practice locations too",
  sort: "",
};

const PLACE = {
  zip: described(sent(NearbyParameters.properties.zip), "Center"),
  lat: described(sent(NearbyParameters.properties.lat), "Or lat and lng"),
  lng: sent(NearbyParameters.properties.lng),
  radius: described(sent(NearbyParameters.properties.radius), "Miles; 25"),
};

/** The members of a call that pages. */
export const PAGING = {
  limit: { type: "integer", minimum: 1, maximum: MAX_ROWS },
  page: { type: "integer" },
  snapshot: TEXT,
};

export const SEARCH_FILTERS = filtersIn(SearchParameters.properties, true);
/** Described where searches are. */
export const NEARBY_FILTERS = {
  ...filtersIn(NearbyParameters.properties, false),
  ...PLACE,
};

function filtersIn(
  properties: Readonly<Record<string, object>>,
  isDescribed: boolean,
): Record<string, object> {
  return Object.fromEntries(
    Object.entries(MEANINGS).flatMap(([name, meaning]) => {
      const schema = properties[name];
      if (schema === undefined) return [];
      const value = name === "name_aliases" ? FLAG : sent(schema);
      return [
        [
          name,
          isDescribed && meaning !== "" ? described(value, meaning) : value,
        ],
      ];
    }),
  );
}

/** Returns the arguments of filters that a text became. */
export function argumentsOf({
  name_aliases: aliases,
  specialty_scope: _always,
  ...others
}: Interpretation["filters"]): Arguments {
  return aliases === undefined ? others : { ...others, name_aliases: true };
}

/** Returns the parameters of filters. The words of a specialty are also everyday ones. */
export function parametersOf(filters: Arguments): Arguments {
  const { specialty } = filters;
  return specialty === undefined
    ? filters
    : { specialty_scope: "common", ...filters };
}
