import { randomBytes } from "node:crypto";
import { BillingRecords } from "../accounts/billing-records.ts";
import type { BillingDependencies } from "../http/deps.ts";
import type { WorkerSetup } from "./messages.ts";

/** What sells plans in a worker, null where none is sold. The SDK is loaded only where it is needed. */
export async function billingOf(
  { accounts, billing: config, publicUrl }: WorkerSetup,
  owned: AsyncDisposableStack,
): Promise<BillingDependencies | null> {
  if (config === null || publicUrl === null) return null;
  const { Billing } = await import("../billing/billing.ts");
  const records = owned.use(
    new BillingRecords({
      place: accounts,
      clock: Date.now,
      random: randomBytes,
      actor: "stripe",
    }),
  );
  return {
    billing: new Billing({ config, records, clock: Date.now }),
    publicUrl,
    // Nobody can sign in yet.
    signedIn: () => Promise.resolve(null),
  };
}
