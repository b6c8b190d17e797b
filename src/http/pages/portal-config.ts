import { dataAge } from "../../contract/data-age.ts";
import type { Directory } from "../../search/directory.ts";
import {
  LOGO_PATH,
  MAP_TILES_PATH,
  type PlanSummary,
  type PortalConfig,
  type PortalExample,
} from "../../site/portal-config.ts";
import { publicPath } from "../../text/public-path.ts";
import type { AppContext, PortalDependencies } from "../app-context.ts";
import { isExplorerOpen } from "../access/explorer-gate.ts";
import { availableScopes } from "../queries/data-operation.ts";

/**
 * Sentences that users type, by kind, the best known place first. The first of a kind that finds anyone is an example.
 */
const SENTENCES: readonly (readonly string[])[] = [
  [
    "Cardiologist near 60601",
    "Family doctor near 10001",
    "Nurse practitioner near 62701",
  ],
  ["John Smith in Chicago", "Dr. Garcia in Texas", "Smith in California"],
];

const known = new WeakMap<Directory, readonly PortalExample[]>();

/** Makes the configuration of the portal's pages. */
export function portalConfig(
  deps: AppContext,
  portal: PortalDependencies,
): PortalConfig {
  const data = deps.data.current;
  const { billing, plans, publicUrl, signUp } = deps.settings;
  const { contact, guide, logo, name, privacy, terms } = portal.settings;
  const { tilesAttribution, version } = portal.settings;
  const sold = Object.keys(billing?.prices ?? {});
  const explorer = isExplorerOpen(deps, portal)
    ? "open"
    : deps.auth === null
      ? "closed"
      : "signed-in";
  const shown = explorer === "closed" ? null : data;
  return {
    name,
    version,
    logo: logo && publicPath(publicUrl, `${LOGO_PATH}/${logo.name}`),
    contact,
    privacy,
    terms,
    demo: data?.isDemo ?? false,
    explorer,
    sign_up: deps.auth !== null,
    github: (signUp?.github ?? null) !== null,
    billing: deps.billing !== null,
    guide,
    tile_url: tileUrl(portal, publicUrl),
    tile_attribution: tilesAttribution,
    scopes: availableScopes(data?.detailParts ?? []),
    details: data?.detailParts ?? [],
    example_npi: shown?.lookup.exampleNpi() ?? null,
    examples: shown === null ? [] : portalExamples(shown),
    providers: data?.counts.providers ?? null,
    plans: [...plans.values()].map((plan) => ({
      name: plan.name,
      quota: plan.monthlyQuota,
      requests_per_second: plan.burstPerSecond,
      files: deps.files !== null && plan.files,
      price: priceText(plan.priceUsdPerMonth),
      for_sale: sold.includes(plan.name),
    })),
    data_date: data?.dataDate ?? null,
    data_warning: dataAge(data?.dataDate ?? null, deps.now())?.warning ?? null,
    source: data?.source ?? null,
  };
}

/** Returns the URL of the tiles. A replaced file has another one, because browsers keep its parts. */
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

/** Returns what a user could type to find providers of this data: at most one sentence of each kind, and an NPI. */
function portalExamples(data: Directory): readonly PortalExample[] {
  const before = known.get(data);
  if (before !== undefined) return before;
  const npi = data.lookup.exampleNpi();
  const examples = [...SENTENCES, [`NPI ${npi}`]].flatMap((sentences) => {
    for (const text of sentences) {
      const { filters, operation, total } =
        data.explore.interpreter.interpret(text);
      if (operation !== null && total > 0)
        return [{ text, operation, filters }];
    }
    return [];
  });
  known.set(data, examples);
  return examples;
}
