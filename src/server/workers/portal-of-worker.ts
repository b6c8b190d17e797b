import { AddressBursts } from "../../http/limits/ip-rate-limiter.ts";
import { BuiltSite } from "../../http/pages/built-site.ts";
import type { PortalDependencies } from "../../http/app-context.ts";
import type { WorkerSetup } from "./messages.ts";

/** What the portal stands on in a worker, null where it is switched off. */
export function portalOf({
  billing,
  people,
  plans,
  portal,
}: WorkerSetup): PortalDependencies | null {
  if (portal === null) return null;
  const { bursts, burstPerSecond, folder, ...chosen } = portal;
  return {
    ...chosen,
    site: folder === null ? null : new BuiltSite(folder),
    bursts: new AddressBursts(bursts, burstPerSecond),
    github: people !== null && people.github !== null,
    plans,
    sold: Object.keys(billing?.prices ?? {}),
  };
}
