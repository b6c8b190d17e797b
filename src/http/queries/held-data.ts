import type { DetailPart } from "../../contract/detail-parts.ts";
import {
  FILTERS,
  FILTER_NAMES,
  isScope,
  type ScopeName,
} from "../../contract/filters.ts";
import type { FilterValues } from "../../contract/parameters.ts";
import type { Directory } from "../../search/directory.ts";
import { dataNotLoaded } from "../pipeline/answer-data.ts";
import type { Failure, FailureDetail } from "../pipeline/failure.ts";

const SCOPES = FILTER_NAMES.filter(isScope);

/** Which scopes can be widened by the parts that are held. */
export function heldScopes(held: readonly DetailPart[]): ScopeName[] {
  return SCOPES.filter((name) => held.includes(FILTERS[name].any.part));
}

/** What the data lack for a query's filters; null when it is nothing. */
export function lackFailure(
  query: FilterValues,
  data: Directory,
): Failure | null {
  const failure = scopeFailure(query, data.heldDetails);
  if (failure !== null) return failure;
  return query.last_updated_since === undefined || data.knowsUpdates
    ? null
    : dataNotLoaded(
        "The dates of updates are not read yet. Try again in a moment.",
      );
}

/** What is wrong with scopes of `any` for which this installation holds no data; null when nothing is. */
function scopeFailure(
  asked: Partial<Readonly<Record<ScopeName, "primary" | "any">>>,
  held: readonly DetailPart[],
): Failure | null {
  const problems = SCOPES.flatMap((param): FailureDetail[] => {
    const { inWords, part } = FILTERS[param].any;
    if (asked[param] !== "any" || held.includes(part)) return [];
    const message = `${param}=any needs ${inWords}, which this installation does not hold. Its operator gets them with an import of the registry's full zip and --details all, or a list with ${part}.`;
    return [{ param, code: "details_not_held", message }];
  });
  const [first] = problems;
  return first === undefined
    ? null
    : { code: first.code, message: first.message, details: problems };
}
