import type { PlanFacts, PortalFacts } from "../site/portal-facts.ts";
import type { HttpDependencies, PortalDependencies } from "./deps.ts";
import { isOpen } from "./explorer-gate.ts";
import { heldScopes } from "./scopes.ts";

/** What the portal's pages need to know now. */
export function portalFacts(
  deps: HttpDependencies,
  portal: PortalDependencies,
): PortalFacts {
  const data = deps.data.current();
  return {
    name: portal.name,
    demo: data?.isDemo ?? false,
    explorer: isOpen(deps, portal) ? "open" : "signed-in",
    sign_up: deps.people !== null,
    github: deps.people !== null && portal.github,
    billing: deps.billing !== null,
    tile_url: portal.tiles,
    tile_attribution: portal.tilesAttribution,
    scopes: heldScopes(data?.heldDetails ?? []),
    plans: [...portal.plans.values()].map(
      ({ burstPerSecond, monthlyQuota, name, priceUsdPerMonth }) => ({
        name,
        quota: monthlyQuota,
        requests_per_second: burstPerSecond,
        price: priceText(priceUsdPerMonth),
        for_sale: portal.sold.includes(name),
      }),
    ),
    data_date: data?.dataDate ?? null,
    source: data?.source ?? null,
  };
}

function priceText(usdPerMonth: number | null): PlanFacts["price"] {
  if (usdPerMonth === null) return null;
  return usdPerMonth === 0 ? "free" : `$${usdPerMonth} a month`;
}
