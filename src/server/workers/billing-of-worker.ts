import { randomBytes } from "node:crypto";
import { BillingRecords } from "../../accounts/billing-records/billing-records.ts";
import type {
  BillingDependencies,
  PeopleDoor,
  SignedIn,
} from "../../http/app-context.ts";
import { headersOf } from "../../http/pipeline/headers.ts";
import type { WorkerSetup } from "./messages.ts";

/** What sells plans in a worker, null where none is sold. The SDK is loaded only where it is needed. */
export async function billingOf(
  { accounts, billing: config, publicUrl }: WorkerSetup,
  owned: AsyncDisposableStack,
  door: PeopleDoor | null,
): Promise<BillingDependencies | null> {
  if (config === null || publicUrl === null) return null;
  const { Billing } = await import("../../billing/billing.ts");
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
    async takeAttempt(of, limit) {
      const people = await door?.open();
      return people?.accounts.takeAttempt(of, limit) ?? 0;
    },
    // Where sign-up is off, nobody is signed in.
    signedIn: door === null ? () => Promise.resolve(null) : signedInAt(door),
  };
}

/** Who is signed in by a session, with a confirmed address. */
function signedInAt(door: PeopleDoor): SignedIn {
  return async function signedIn(request) {
    const people = await door.open();
    const person = await people.whoIs(headersOf(request));
    if (person === null || !person.isVerified) return null;
    const { email, id } = await people.accountOf(person);
    return { accountId: id, email };
  };
}
