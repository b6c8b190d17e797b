import { dataAge } from "../../registry/data-age.ts";
import type { PlanFacts, PortalFacts } from "../../site/portal-facts.ts";
import type {
  HttpDependencies,
  PortalDependencies,
  ProviderData,
} from "../app-context.ts";
import { isOpen } from "../access/explorer-gate.ts";
import { heldScopes } from "../queries/scopes.ts";

/** What the portal's pages need to know now. */
export function portalFacts(
  deps: HttpDependencies,
  portal: PortalDependencies,
): PortalFacts {
  const data = deps.data.current();
  return {
    name: portal.name,
    demo: data?.isDemo ?? false,
    explorer: isOpen(deps, portal)
      ? "open"
      : deps.people === null
        ? "closed"
        : "signed-in",
    sign_up: deps.people !== null,
    github: deps.people !== null && portal.github,
    billing: deps.billing !== null,
    tile_url: portal.tiles,
    tile_attribution: portal.tilesAttribution,
    scopes: heldScopes(data?.heldDetails ?? []),
    example_npi: data === null ? null : exampleNpi(data),
    plans: [...portal.plans.values()].map(
      ({
        burstPerSecond,
        explorerPages,
        monthlyQuota,
        name,
        priceUsdPerMonth,
      }) => ({
        name,
        quota: monthlyQuota,
        requests_per_second: burstPerSecond,
        explorer_pages: explorerPages,
        price: priceText(priceUsdPerMonth),
        for_sale: portal.sold.includes(name),
      }),
    ),
    data_date: data?.dataDate ?? null,
    data_warning: dataAge(data?.dataDate ?? null, deps.now())?.warning ?? null,
    source: data?.source ?? null,
  };
}

function exampleNpi(data: ProviderData): string | null {
  const { json } = data.searchJson({ status: "active", limit: 1, page: 1 });
  const entries: readonly { npi: string }[] = JSON.parse(json);
  return entries[0]?.npi ?? null;
}

function priceText(usdPerMonth: number | null): PlanFacts["price"] {
  if (usdPerMonth === null) return null;
  return usdPerMonth === 0 ? "free" : `$${usdPerMonth} a month`;
}
