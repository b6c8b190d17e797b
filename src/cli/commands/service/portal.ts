import { resolve } from "node:path";
import { builtPortal } from "../../../portal-build/built-portal.ts";
import type { PortalSettings } from "../../../settings/service-settings.ts";
import type { ValuesOf } from "../../../settings/setting.ts";
import { PROGRAM, type Context } from "../../command.ts";
import type { PORTAL } from "../../../settings/portal-settings.ts";

/**
 * The portal as it is served: built now where it has to be, in the data folder where the program's own cannot be written.
 * Without a build the rest of the service goes on.
 */
export async function portalFor(
  options: ValuesOf<typeof PORTAL> | null,
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
