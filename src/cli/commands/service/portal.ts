import { resolve } from "node:path";
import { builtPortal } from "../../../portal-build/built-portal.ts";
import type { PortalSettings } from "../../../settings/service-settings.ts";
import { PROGRAM, type Context } from "../../command.ts";
import type { SettingReader } from "../../settings/config.ts";
import {
  EXPLORER,
  EXPLORER_BURST,
  PORTAL,
  PORTAL_NAME,
  PORTAL_TILES,
  PORTAL_TILES_ATTRIBUTION,
} from "../../settings/portal-settings.ts";

export const PORTAL_SETTINGS = [
  PORTAL,
  PORTAL_NAME,
  PORTAL_TILES,
  PORTAL_TILES_ATTRIBUTION,
  EXPLORER,
  EXPLORER_BURST,
];

export type PortalOptions = Omit<PortalSettings, "folder">;

/** Reads PORTAL_SETTINGS; null where it is switched off. */
export function readPortal(reader: SettingReader): PortalOptions | null {
  const options = {
    name: reader.read(PORTAL_NAME),
    tiles: reader.read(PORTAL_TILES),
    tilesAttribution: reader.read(PORTAL_TILES_ATTRIBUTION),
    explorer: reader.read(EXPLORER),
    burstPerSecond: reader.read(EXPLORER_BURST),
  };
  return reader.read(PORTAL) === "on" ? options : null;
}

/**
 * The portal as it is served: built now where it has to be, in the data folder where the program's own cannot be written.
 * Without a build the rest of the service goes on.
 */
export async function portalFor(
  options: PortalOptions | null,
  dataDir: string,
  context: Context,
): Promise<PortalSettings | null> {
  if (options === null) return null;
  const built = await builtPortal({
    otherwise: resolve(dataDir, "portal"),
    onBuild: () =>
      context.err("Building the portal, which takes some seconds ..."),
    signal: context.stop,
  });
  if (built.outcome === "built") return { ...options, folder: built.folder };
  context.err(`${PROGRAM}: ${built.message}`);
  return { ...options, folder: null };
}
