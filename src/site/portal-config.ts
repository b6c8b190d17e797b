import type { DetailPart } from "../contract/detail-parts.ts";
import type { ScopeName } from "../contract/filters.ts";
import type {
  InterpretedFilters,
  InterpretedOperation,
} from "../contract/interpret.ts";
import type { GuideScope } from "./guide-pages.ts";

/** The path of the operator's own archive of map tiles. */
export const MAP_TILES_PATH = "/map.pmtiles";

/** The path of the operator's logo, which its name follows. */
export const LOGO_PATH = "/logo";

/** The portal's configuration: `GET /portal.json`. */
export interface PortalConfig {
  /** The service's name. */
  readonly name: string;
  /** The program's version. */
  readonly version: string;
  /** The path of the operator's logo; null to show the name. */
  readonly logo: string | null;
  /** The way to reach the operator: a `mailto:` link or a URL; null if it isn't set. */
  readonly contact: string | null;
  /** URLs, or paths of the host, of the privacy policy and the terms of use; null if they aren't set. */
  readonly privacy: string | null;
  readonly terms: string | null;
  /** True if the data is demo data. */
  readonly demo: boolean;
  /** The visitors that may use the explorer: everyone, signed-in users, or no one because no one can sign in. */
  readonly explorer: "open" | "signed-in" | "closed";
  /** True if users can sign up and sign in. */
  readonly sign_up: boolean;
  /** True if users can sign in with GitHub. */
  readonly github: boolean;
  /** True if plans can be bought. */
  readonly billing: boolean;
  /** The pages of the guide to show. */
  readonly guide: GuideScope;
  /**
   * The URL of the map's tiles, with `{z}`, `{x}` and `{y}`, or of a PMTiles archive, which may be a path of the
   * service; null for only the bundled shapes.
   */
  readonly tile_url: string | null;
  /** The tiles' attribution; null for that of the archive, or else their host's name. */
  readonly tile_attribution: string | null;
  /** The scopes for which the data is stored. */
  readonly scopes: readonly ScopeName[];
  /** The parts of details that are stored. */
  readonly details: readonly DetailPart[];
  /** A provider in the data, for examples; null if the explorer is closed or no data is loaded. */
  readonly example_npi: string | null;
  /** Texts that find providers of this data; none if the explorer is closed or no data is loaded. */
  readonly examples: readonly PortalExample[];
  /** The number of providers in the data; null if no data is loaded. */
  readonly providers: number | null;
  readonly plans: readonly PlanSummary[];
  /** The date up to which the data is complete, ISO 8601; null if unknown or no data is loaded. */
  readonly data_date: string | null;
  /** A warning if the data is stale, by the rule of `/v1/status`; otherwise null. */
  readonly data_warning: string | null;
  /** The data's source, as text; null if no data is loaded. */
  readonly source: string | null;
}

/** A text that a user could type, and what it is understood as. */
export interface PortalExample {
  readonly text: string;
  readonly operation: InterpretedOperation;
  readonly filters: InterpretedFilters;
}

export interface PlanSummary {
  readonly name: string;
  /** Requests per month. */
  readonly quota: number;
  readonly requests_per_second: number;
  /** True if it includes files for SQL, and they are offered here. */
  readonly files: boolean;
  /** "free", "$29 a month"; null without a list price. */
  readonly price: string | null;
  /** True if it can be bought here. */
  readonly for_sale: boolean;
}

/** Shown with all provider data; the specification's wording. */
export const DISCLAIMER =
  "A record confirms only that the provider is enumerated in the registry. It does not confirm licensure, board certification, acceptance of new patients, network participation, or current practice at the address.";
