import type { Stripe } from "stripe";
import type { Account } from "../accounts/account-store.ts";
import type { BillingRecords } from "../accounts/billing-records.ts";
import { ask, StripeFault } from "./stripe-client.ts";

/** Does something with the customer of an account, who is made at Stripe where there is none, or none any more. */
export async function withCustomer<Result>(
  stripe: Stripe,
  records: BillingRecords,
  account: Account,
  act: (customerId: string) => Promise<Result>,
): Promise<Result> {
  const held = await records.customer(account.id);
  if (held === null)
    return act(await makeCustomer(stripe, records, account, null));
  try {
    return await act(held);
  } catch (error) {
    if (!(error instanceof StripeFault && error.isMissing("customer")))
      throw error;
    await records.forgetCustomer(held);
    return act(await makeCustomer(stripe, records, account, held));
  }
}

/** It is written down before anybody can pay, so that no event about it comes too early. */
async function makeCustomer(
  stripe: Stripe,
  records: BillingRecords,
  { createdAt, email, id }: Account,
  before: string | null,
): Promise<string> {
  const made = await ask(
    stripe.customers.create(
      { email, metadata: { account: String(id) } },
      // Two questions at once make one customer.
      { idempotencyKey: `customer-${id}-${createdAt}-${before ?? "first"}` },
    ),
  );
  return records.keepCustomer(id, made.id);
}
