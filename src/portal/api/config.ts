import { createContext, useContext } from "react";
import type { PortalFacts } from "../../site/portal-facts.ts";

export const ConfigContext = createContext<PortalFacts | null>(null);

/** The installation's configuration, from `/portal.json`. */
export function useConfig(): PortalFacts {
  const facts = useContext(ConfigContext);
  if (facts === null) throw new Error("useConfig must be used inside the app.");
  return facts;
}
