import { DEFAULT_RADIUS_MILES } from "../../contract/filters.ts";
import type {
  InterpretedFilters,
  InterpretedOperation,
} from "../../contract/interpret.ts";
import type { FilterValues } from "../../contract/parameters/filter-schemas.ts";
import type { NearbyQuery, Point } from "../query.ts";

/** The searches that totals come from (`Directory`). */
export interface Searches {
  find(npi: string): object | null;
  searchTotal(query: FilterValues): number;
  readonly map: { nearbyTotal(query: NearbyQuery): number };
  centroid(zip: string): Point | null;
}

/** Parameters of an operation that texts never become. */
export interface OtherParameters extends Omit<
  FilterValues,
  keyof InterpretedFilters
> {
  readonly lat?: number;
  readonly lng?: number;
}

/** An operation with its filters, as they are sent. */
export interface AskedOperation {
  readonly operation: InterpretedOperation;
  readonly filters: InterpretedFilters;
}

const PAGE = { page: 1, limit: 1 };

/** How many providers an operation finds, with other parameters. */
export function totalOf(
  searches: Searches,
  { filters, operation }: AskedOperation,
  { lat, lng, ...others }: OtherParameters = {},
): number {
  const { npi = "", radius, zip = "", ...rest } = filters;
  if (operation === "lookup") return searches.find(npi) === null ? 0 : 1;
  if (operation === "search")
    return searches.searchTotal({
      ...others,
      ...rest,
      ...(zip === "" ? {} : { zip }),
    });
  const center =
    lat === undefined || lng === undefined
      ? searches.centroid(zip)
      : { lat, lng };
  if (center === null) return 0;
  const query = { ...others, ...rest, ...PAGE, center };
  return searches.map.nearbyTotal({
    ...query,
    radius: radius ?? DEFAULT_RADIUS_MILES,
  });
}
