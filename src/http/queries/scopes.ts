import type { DetailPart } from "../../contract/detail-parts.ts";
import type { ScopeName } from "../../site/portal-facts.ts";
import type { Failure, FailureDetail } from "../pipeline/failure.ts";

/** The scopes that a query may have; `any` of each needs a part of the details. */
type AskedScopes = Partial<Readonly<Record<ScopeName, "primary" | "any">>>;

const NEEDS: readonly (readonly [ScopeName, DetailPart, string])[] = [
  ["name_scope", "other_names", "other names"],
  ["taxonomy_scope", "taxonomies", "taxonomies besides the primary one"],
  ["location_scope", "locations", "secondary practice locations"],
];

/** Which scopes can be widened by the parts that are held. */
export function heldScopes(held: readonly DetailPart[]): ScopeName[] {
  return NEEDS.filter(([, part]) => held.includes(part)).map(([name]) => name);
}

/** What is wrong with scopes of `any` for which this installation holds no data; null when nothing is. */
export function scopeFailure(
  asked: AskedScopes,
  held: readonly DetailPart[],
): Failure | null {
  const problems = NEEDS.filter(
    ([param, part]) => asked[param] === "any" && !held.includes(part),
  ).map(([param, part, inWords]): FailureDetail => ({
    param,
    code: "details_not_held",
    message: `${param}=any needs ${inWords}, which this installation does not hold. Its operator gets them with an import of the registry's full zip and --details all, or a list with ${part}.`,
  }));
  const [first] = problems;
  return first === undefined
    ? null
    : { code: first.code, message: first.message, details: problems };
}
