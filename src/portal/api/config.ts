import { createContext, useContext } from "react";
import type { PortalFacts } from "../../site/portal-facts.ts";

export const ConfigContext = createContext<PortalFacts | null>(null);

/** What the installation is: its name, who may explore, what is sold, how far the data reach. */
export function useConfig(): PortalFacts {
  const facts = useContext(ConfigContext);
  if (facts === null) throw new Error("Facts are asked for outside the app.");
  return facts;
}
