import type { Logger } from "pino";
import {
  BillingRecords,
  type BillingRecordsOptions,
} from "../accounts/billing-records/billing-records.ts";
import {
  planOfPriceIn,
  type BillingConfig,
} from "../billing/billing-config.ts";

export interface PaidPlansOptions extends Omit<BillingRecordsOptions, "actor"> {
  readonly config: BillingConfig;
  readonly logger: Logger;
}

/** Gives accounts the plans that they pay for already, where the configuration of prices has changed since. */
export async function grantPaidPlans({
  config,
  logger,
  ...options
}: PaidPlansOptions): Promise<void> {
  await using records = new BillingRecords({ ...options, actor: "service" });
  const accounts = await records.applyPrices(planOfPriceIn(config.prices));
  if (accounts > 0)
    logger.warn(
      { accounts },
      "STRIPE_PRICES has changed: accounts have another plan for what they pay",
    );
}
