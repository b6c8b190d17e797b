import {
  measureFold,
  measureRender,
  planFacts,
  REASONS,
  sizesOf,
  sizesOfPage,
  type StepTimes,
} from "../explain.ts";
import type { Facts } from "../filters/text-filter.ts";
import { planQuery } from "../plan/plan-query.ts";
import type { Planning } from "../plan/planning.ts";
import type { NearbyQuery } from "../query.ts";
import type { Rendering } from "../render/rendering.ts";
import { findNearby, findNearbyByName } from "./nearby.ts";
import { planNearby, type NearbyPlan } from "./plan-nearby.ts";

/** Explains how a nearby search runs. It throws what `findNearby` throws. */
export function explainNearby(
  rendering: Rendering,
  planning: Planning,
  query: NearbyQuery,
  times: StepTimes,
): Facts {
  const { snapshot, workspace } = planning;
  const begin = () => workspace.begin();
  measureFold(query, times);
  const plan = times.measure("plan (fold and resolve included)", begin, () =>
    planNearby(planning, query),
  ).last;
  const isByName = query.sort === "name";
  const hits = times.measure(
    "evaluate",
    isByName ? begin : () => undefined,
    () =>
      isByName ? findNearbyByName(planning, query) : findNearby(snapshot, plan),
  ).last;
  const shown = hits.map(({ doc, miles }) => ({ doc, miles }));
  const text = measureRender(rendering, shown, times);
  begin();
  return {
    plan: planFacts(snapshot, planQuery(planning, "nearby", query)),
    evaluation: isByName
      ? { evaluator: "names", reason: REASONS.names }
      : nearbyFacts(plan),
    sizes: {
      ...sizesOf(snapshot),
      centroids: snapshot.centroids.zips.length,
      ...sizesOfPage(shown, text),
    },
    steps: times.rows,
  };
}

function nearbyFacts({ candidates }: NearbyPlan): Facts {
  return candidates === null
    ? {
        evaluator: "rings",
        reason:
          "No filter leaves few documents: ZIP codes around the center are scanned ring by ring until the page is full.",
      }
    : {
        evaluator: "candidates",
        reason:
          "The filters leave few documents: the distance of each is computed, and they are sorted.",
        candidates: candidates.reduce((sum, docs) => sum + docs.length, 0),
      };
}
