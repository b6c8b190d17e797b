import { DEFAULT_RADIUS_MILES } from "../../contract/filters.ts";
import type {
  InterpretedFilters,
  InterpretedOperation,
} from "../../contract/interpret.ts";
import type { FilterValues } from "../../contract/parameters/filter-schemas.ts";
import type { Lookup } from "../lookup.ts";
import type { Nearby } from "../nearby.ts";
import type { Search } from "../search.ts";

/** The operations that totals come from. */
export interface Operations {
  readonly lookup: Pick<Lookup, "find">;
  readonly search: Pick<Search, "total">;
  readonly nearby: Pick<Nearby, "centroid" | "total">;
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

/** Returns how many providers an operation finds, with other parameters. */
export function totalOf(
  { lookup, nearby, search }: Operations,
  { filters, operation }: AskedOperation,
  { lat, lng, ...others }: OtherParameters = {},
): number {
  const { npi = "", radius, zip = "", ...rest } = filters;
  if (operation === "lookup") return lookup.find(npi) === null ? 0 : 1;
  if (operation === "search")
    return search.total({
      ...others,
      ...rest,
      ...(zip === "" ? {} : { zip }),
    });
  const center =
    lat === undefined || lng === undefined
      ? nearby.centroid(zip)
      : { lat, lng };
  if (center === null) return 0;
  const query = { ...others, ...rest, ...PAGE, center };
  return nearby.total({
    ...query,
    radius: radius ?? DEFAULT_RADIUS_MILES,
  });
}

/** Returns the same filters without some. */
export function without<T extends object>(
  filters: T,
  names: readonly string[],
): T {
  const remaining = { ...filters };
  for (const name of names) Reflect.deleteProperty(remaining, name);
  return remaining;
}
