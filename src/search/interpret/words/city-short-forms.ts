/** A city that is usually called something else. */
export interface ShortForm {
  readonly city: string;
  /** The state, if the short form says which. */
  readonly state?: string;
}

/** Short forms of cities, folded. ST, FT and MT are read by `text/city`. */
export const CITY_SHORT_FORMS: ReadonlyMap<string, ShortForm> = new Map([
  ["NYC", { city: "New York", state: "NY" }],
  ["NEW YORK CITY", { city: "New York" }],
  ["LA", { city: "Los Angeles", state: "CA" }],
  ["PHILLY", { city: "Philadelphia", state: "PA" }],
  ["SF", { city: "San Francisco", state: "CA" }],
  ["SAN FRAN", { city: "San Francisco", state: "CA" }],
  ["VEGAS", { city: "Las Vegas", state: "NV" }],
  ["NOLA", { city: "New Orleans", state: "LA" }],
  ["ATL", { city: "Atlanta", state: "GA" }],
  ["SLC", { city: "Salt Lake City", state: "UT" }],
  ["OKC", { city: "Oklahoma City", state: "OK" }],
  ["INDY", { city: "Indianapolis", state: "IN" }],
  ["WASHINGTON D C", { city: "Washington", state: "DC" }],
]);

/** Short forms that are words of names too: read as cities only where no name can be. */
export const AMBIGUOUS_SHORT_FORMS: ReadonlySet<string> = new Set(["LA", "SF"]);
