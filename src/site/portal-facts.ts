import type { ScopeName } from "../contract/filters.ts";

/** What the portal's pages need to know of the installation: `GET /portal.json`. */
export interface PortalFacts {
  /** What the service is called. */
  readonly name: string;
  /** Whether the providers are invented. */
  readonly demo: boolean;
  /** Who may explore: everybody, those who are signed in, or, as there is no way to sign in, no one. */
  readonly explorer: "open" | "signed-in" | "closed";
  /** Whether people can sign up and in. */
  readonly sign_up: boolean;
  /** Whether they can sign in by GitHub. */
  readonly github: boolean;
  /** Whether a plan is sold. */
  readonly billing: boolean;
  /** Where the map's tiles are, with `{z}`, `{x}` and `{y}`; null for the bundled shapes alone. */
  readonly tile_url: string | null;
  /** Whose tiles they are, in words; null for their host's name. */
  readonly tile_attribution: string | null;
  /** Which searches can be widened, as the data are held for it. */
  readonly scopes: readonly ScopeName[];
  /** A provider that is held, to begin with; null where there is none. */
  readonly example_npi: string | null;
  readonly plans: readonly PlanFacts[];
  /** How far the data reach, ISO 8601; null where that is not known or nothing is loaded. */
  readonly data_date: string | null;
  /** One sentence where the data are stale, by the rule of `/v1/status`; else null. */
  readonly data_warning: string | null;
  /** Where the data come from, in words; null while nothing is loaded. */
  readonly source: string | null;
}

export interface PlanFacts {
  readonly name: string;
  /** Answers a month. */
  readonly quota: number;
  readonly requests_per_second: number;
  /** Pages of the explorer a month, where they count. */
  readonly explorer_pages: number;
  /** "free", "$29 a month"; null without a list price. */
  readonly price: string | null;
  /** Whether it can be bought here. */
  readonly for_sale: boolean;
}

/** What every view of the data says (the specification's words). */
export const DISCLAIMER =
  "A record confirms only that the provider is enumerated in the registry. It does not confirm licensure, board certification, acceptance of new patients, network participation, or current practice at the address.";
