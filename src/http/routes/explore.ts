import { MapAnswer } from "../../contract/explorer/map.ts";
import {
  AlternativesAnswer,
  SuggestAnswer,
} from "../../contract/explorer/suggest.ts";
import { INTERPRET } from "./interpret.ts";
import { LOOKUP_WITH_DETAILS } from "./lookup.ts";
import { ALTERNATIVES } from "./explorer/alternatives.ts";
import { explorerRoute } from "./explorer/explorer-route.ts";
import { historyOf } from "./explorer/history.ts";
import { MAP_NEARBY, MAP_SEARCH } from "./explorer/map.ts";
import { PLACES_ROUTE } from "./explorer/places.ts";
import { SUGGEST } from "./explorer/suggest.ts";
import { NEARBY } from "./nearby.ts";
import type { Route } from "./route.ts";
import { SEARCH } from "./search.ts";
import { TAXONOMIES } from "./taxonomies.ts";

const MAP_OPTIONS = {
  answer: MapAnswer,
  cost: "part",
  isLong: true,
} as const;

/**
 * `/explore/*`: the data of the portal's explorer. Answers are those of `/v1`, plus the location of each result and
 * notes on it. Requests need no key but must come from this service's pages and stay within a burst limit per client
 * address. If the explorer is only for signed-in users, each page counts against a monthly limit of their account,
 * separate from its keys' quota; what comes with a page doesn't count again (`ExplorerCost`).
 */
export const EXPLORER_ROUTES: readonly Route[] = [
  explorerRoute("/explore/providers/:npi", LOOKUP_WITH_DETAILS, {
    membersOf: (data, _query, hits, deps) => historyOf(data, hits, deps),
  }),
  explorerRoute("/explore/search", SEARCH, {
    membersOf: (data, { query }, hits) => ({
      ...data.notesOfPage("search", query, hits),
    }),
  }),
  explorerRoute("/explore/nearby", NEARBY, {
    membersOf: (data, { query }, hits) => ({
      ...data.notesOfPage("nearby", query, hits),
    }),
  }),
  explorerRoute("/explore/map/search", MAP_SEARCH, MAP_OPTIONS),
  explorerRoute("/explore/map/nearby", MAP_NEARBY, MAP_OPTIONS),
  PLACES_ROUTE,
  explorerRoute("/explore/interpret", INTERPRET, { cost: "part" }),
  explorerRoute("/explore/alternatives", ALTERNATIVES, {
    answer: AlternativesAnswer,
    cost: "part",
    isLong: true,
  }),
  explorerRoute("/explore/suggest", SUGGEST, {
    answer: SuggestAnswer,
    cost: "keystroke",
  }),
  explorerRoute("/explore/taxonomies", TAXONOMIES, { cost: "keystroke" }),
];
