import { dataAge } from "../../contract/data-age.ts";
import {
  MAP_TILES_PATH,
  type PlanSummary,
  type PortalConfig,
} from "../../site/portal-config.ts";
import { publicPath } from "../../text/public-path.ts";
import type { AppContext, PortalDependencies } from "../app-context.ts";
import { isExplorerOpen } from "../access/explorer-gate.ts";
import { availableScopes } from "../queries/data-operation.ts";
import { portalExamples } from "./portal-examples.ts";

/** The configuration of the portal's pages. */
export function portalConfig(
  deps: AppContext,
  portal: PortalDependencies,
): PortalConfig {
  const data = deps.data.current;
  const { billing, plans, publicUrl, signUp } = deps.settings;
  const { guide, name, tilesAttribution } = portal.settings;
  const sold = Object.keys(billing?.prices ?? {});
  const explorer = isExplorerOpen(deps, portal)
    ? "open"
    : deps.auth === null
      ? "closed"
      : "signed-in";
  const shown = explorer === "closed" ? null : data;
  return {
    name,
    demo: data?.isDemo ?? false,
    explorer,
    sign_up: deps.auth !== null,
    github: (signUp?.github ?? null) !== null,
    billing: deps.billing !== null,
    guide,
    tile_url: tileUrl(portal, publicUrl),
    tile_attribution: tilesAttribution,
    scopes: availableScopes(data?.detailParts ?? []),
    example_npi: shown?.exampleNpi() ?? null,
    examples: shown === null ? [] : portalExamples(shown),
    providers: data?.counts.providers ?? null,
    plans: [...plans.values()].map(
      ({
        burstPerSecond,
        explorerPages,
        monthlyQuota,
        name: plan,
        priceUsdPerMonth,
      }) => ({
        name: plan,
        quota: monthlyQuota,
        requests_per_second: burstPerSecond,
        explorer_pages: explorerPages,
        price: priceText(priceUsdPerMonth),
        for_sale: sold.includes(plan),
      }),
    ),
    data_date: data?.dataDate ?? null,
    data_warning: dataAge(data?.dataDate ?? null, deps.now())?.warning ?? null,
    source: data?.source ?? null,
  };
}

/** A replaced file has another URL, because browsers keep its parts. */
function tileUrl(
  { settings: { tiles }, tileFile }: PortalDependencies,
  publicUrl: string | null,
): string | null {
  if (tileFile === null) return tiles;
  const version = tileFile.version();
  return version === null
    ? null
    : publicPath(publicUrl, `${MAP_TILES_PATH}?v=${version}`);
}

function priceText(usdPerMonth: number | null): PlanSummary["price"] {
  if (usdPerMonth === null) return null;
  return usdPerMonth === 0 ? "free" : `$${usdPerMonth} a month`;
}
