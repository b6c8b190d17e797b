/** The portal's build for the app, made once if it is missing. */

import {
  createWorkbookMemory,
  WorkbookPlaces,
} from "../../../src/http/exports/workbook/workbook-places.ts";
import {
  createIpRateLimiterMemory,
  IpRateLimiter,
} from "../../../src/http/limits/ip-rate-limiter.ts";
import { BuiltSite } from "../../../src/http/pages/built-site.ts";
import { readBuild } from "../../../src/http/pages/site-files.ts";
import { TileFile } from "../../../src/http/pages/tile-file.ts";
import type { PortalDependencies } from "../../../src/http/app-context.ts";
import { builtFolder } from "../../../src/build/built-folder.ts";
import type { PortalSettings } from "../../../src/settings/service-settings.ts";

export async function portalParts(
  parts: Partial<PortalSettings> & {
    readonly perSecond?: number;
    readonly site?: null;
    readonly publicUrl?: string;
  } = {},
): Promise<PortalDependencies> {
  const { perSecond = 1_000, publicUrl = null, site, ...chosen } = parts;
  const build = chosen.build ?? readBuild(buildFolder());
  return {
    settings: {
      build,
      name: "Example Directory",
      version: "1.2.3",
      logo: null,
      contact: null,
      privacy: null,
      terms: null,
      guide: "all",
      tiles: null,
      tilesAttribution: null,
      explorer: null,
      burstPerSecond: perSecond,
      ...chosen,
    },
    site: site === null ? null : new BuiltSite(build, publicUrl),
    limiter: new IpRateLimiter(createIpRateLimiterMemory("salt"), perSecond),
    workbooks: new WorkbookPlaces(createWorkbookMemory()),
    tileFile: TileFile.of(chosen.tiles ?? null),
  };
}

function buildFolder(): string {
  const folder = builtFolder("portal");
  if (folder !== null) return folder;
  throw new Error("The pages are not built: run npm run build.");
}
