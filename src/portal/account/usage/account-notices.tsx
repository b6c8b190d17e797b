import { PAGE_PATHS } from "../../../site/page-paths.ts";
import { Alert } from "../../components/alert.tsx";
import { useConfig } from "../../api/config.ts";
import { Link } from "../../shell/router.tsx";
import type { OwnAccount } from "../../../contract/account.ts";
import { DateText, UtcDay } from "../date-text.tsx";
import { quantity } from "../../format.ts";

/** From here on the reader is told that the month runs out. */
const NEARLY = 0.9;

/** What keeps the account's keys from being answered, or soon will; nothing where all is well. */
export function MonthNotice({ account }: { readonly account: OwnAccount }) {
  const { quota, remaining, resets_at: resetsAt, status, used } = account;
  if (status === "suspended")
    return (
      <Alert kind="problem" title="This account is suspended">
        <p>Its keys are refused. Ask the operator of this service.</p>
      </Alert>
    );
  if (remaining === 0)
    return (
      <Alert kind="warning" title="This month’s requests are used up">
        <p>
          All {quantity(quota)} were answered. Requests are refused with 429{" "}
          <code>quota_exceeded</code> until <UtcDay at={resetsAt} /> (UTC).
        </p>
        <p>
          <Link href={PAGE_PATHS.plan}>See the plans</Link>
        </p>
      </Alert>
    );
  if (used < quota * NEARLY) return null;
  return (
    <Alert
      kind="warning"
      title={
        remaining === 1
          ? "One request is left this month"
          : `${quantity(remaining)} requests are left this month`
      }
    >
      <p>
        The next {quantity(quota)} come on <UtcDay at={resetsAt} /> (UTC).{" "}
        <Link href={PAGE_PATHS.plan}>See the plans</Link>
      </p>
    </Alert>
  );
}

/** That the plan will end: by a payment that failed, or because its owner cancelled; nothing where it goes on. */
export function PaymentNotice({
  account: { subscription },
}: {
  readonly account: OwnAccount;
}) {
  const { billing } = useConfig();
  if (!billing || subscription === null) return null;
  const { ends_at: endsAt, status } = subscription;
  if (status === "past_due")
    return (
      <Alert kind="warning" title="Your last payment failed">
        <p>
          The plan stays while Stripe tries again. Under{" "}
          <Link href={`${PAGE_PATHS.plan}#payments`}>Manage payments</Link> you
          can give another card.
        </p>
      </Alert>
    );
  return endsAt === null ? null : (
    <Alert title="Your subscription is cancelled">
      <p>
        The plan lasts until <DateText at={endsAt} />.
      </p>
    </Alert>
  );
}
