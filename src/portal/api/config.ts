import { createContext, useContext } from "react";
import type { PortalConfig } from "../../site/portal-config.ts";

export const ConfigContext = createContext<PortalConfig | null>(null);

/** Returns the installation's configuration, from `/portal.json`. */
export function useConfig(): PortalConfig {
  const facts = useContext(ConfigContext);
  if (facts === null) throw new Error("useConfig must be used inside the app.");
  return facts;
}
