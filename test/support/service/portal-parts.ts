/** What the portal stands on, for the app: the real build, made once where it is missing. */

import {
  AddressBursts,
  createAddressBursts,
} from "../../../src/http/limits/ip-rate-limiter.ts";
import { BuiltSite } from "../../../src/http/pages/built-site.ts";
import type { PortalDependencies } from "../../../src/http/app-context.ts";
import { builtPortal } from "../../../src/portal-build/built-portal.ts";
import { BUILT_IN_PLANS } from "../../../src/accounts/plans.ts";

export async function portalParts(
  parts: Partial<PortalDependencies> & { readonly perSecond?: number } = {},
): Promise<PortalDependencies> {
  const { perSecond = 1_000, ...others } = parts;
  const built = await builtPortal({
    onBuild: () => undefined,
    signal: new AbortController().signal,
  });
  if (built.outcome === "failed") throw new Error(built.message);
  return {
    site: new BuiltSite(built.folder),
    name: "Example Directory",
    tiles: null,
    tilesAttribution: null,
    explorer: null,
    bursts: new AddressBursts(createAddressBursts("salt"), perSecond),
    github: false,
    plans: BUILT_IN_PLANS,
    sold: [],
    ...others,
  };
}
