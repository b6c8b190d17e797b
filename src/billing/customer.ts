import type { Stripe } from "stripe";
import type { Account } from "../accounts/users/account-store.ts";
import type { BillingRecords } from "../accounts/billing-records/billing-records.ts";
import { removeCustomer } from "./close-customer.ts";
import { ask, StripeFault } from "./stripe-client.ts";

/**
 * Does something with the customer of an account, who is made at Stripe where there is none, or none any more. Null where the
 * account was deleted meanwhile; then no customer is left.
 */
export async function withCustomer<Result>(
  stripe: Stripe,
  records: BillingRecords,
  account: Account,
  act: (customerId: string) => Promise<Result>,
): Promise<Result | null> {
  const held = await records.customer(account.id);
  if (held === null) return actWithNew(null);
  try {
    return await act(held);
  } catch (error) {
    if (!(error instanceof StripeFault && error.isMissing("customer")))
      throw error;
    await records.forgetCustomer(held);
    return actWithNew(held);
  }

  async function actWithNew(before: string | null): Promise<Result | null> {
    const made = await makeCustomer(stripe, records, account, before);
    return made === null ? null : act(made);
  }
}

/** It is written down before anybody can pay, so that no event about it comes too early. Null where the account is gone. */
async function makeCustomer(
  stripe: Stripe,
  records: BillingRecords,
  { createdAt, email, id }: Account,
  before: string | null,
): Promise<string | null> {
  const made = await ask(
    stripe.customers.create(
      { email, metadata: { account: String(id) } },
      // Two questions at once make one customer.
      { idempotencyKey: `customer-${id}-${createdAt}-${before ?? "first"}` },
    ),
  );
  const kept = await records.keepCustomer(id, made.id);
  if (kept === null) await removeCustomer(stripe, made.id);
  return kept;
}
