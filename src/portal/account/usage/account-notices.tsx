import { PAGE_PATHS } from "../../../site/page-paths.ts";
import { Alert, DateText, UtcDay } from "../../components/elements.tsx";
import { Operator } from "../../components/operator.tsx";
import { useConfig } from "../../api/config.ts";
import { Link } from "../../shell/router.tsx";
import type { AccountInfo } from "../../../contract/account.ts";
import { formatCount } from "../../format.ts";

/** From this share of the quota on, the user is warned. */
const NEARLY = 0.9;

/** Warns if the account's keys don't work, or soon won't. */
export function QuotaNotice({ account }: { readonly account: AccountInfo }) {
  const { quota, remaining, resets_at: resetsAt, status, used } = account;
  if (status === "suspended")
    return (
      <Alert kind="problem" title="Your account is suspended">
        <p>
          Your API keys don’t work. Ask <Operator /> why.
        </p>
      </Alert>
    );
  if (remaining === 0)
    return (
      <Alert kind="warning" title="You’ve used all of this month’s requests">
        <p>
          Your plan includes {formatCount(quota)} requests a month. Until{" "}
          <UtcDay at={resetsAt} /> (UTC), the API refuses your requests with 429{" "}
          <code>quota_exceeded</code>.
        </p>
        <p>
          <Link href={PAGE_PATHS.plan}>See plans</Link>
        </p>
      </Alert>
    );
  if (used < quota * NEARLY) return null;
  return (
    <Alert
      kind="warning"
      title={
        remaining === 1
          ? "1 request left this month"
          : `${formatCount(remaining)} requests left this month`
      }
    >
      <p>
        Your quota resets to {formatCount(quota)} on <UtcDay at={resetsAt} />{" "}
        (UTC). <Link href={PAGE_PATHS.plan}>See plans</Link>
      </p>
    </Alert>
  );
}

/** Warns if the plan will end because a payment failed or the user canceled. */
export function PaymentNotice({
  account: { subscription },
}: {
  readonly account: AccountInfo;
}) {
  const { billing } = useConfig();
  if (!billing || subscription === null) return null;
  const { ends_at: endsAt, status } = subscription;
  if (status === "past_due")
    return (
      <Alert kind="warning" title="Your last payment failed">
        <p>
          Your plan stays active while Stripe retries. To use another card, go
          to <Link href={`${PAGE_PATHS.plan}#payments`}>Manage payments</Link>.
        </p>
      </Alert>
    );
  return endsAt === null ? null : (
    <Alert title="Your subscription is canceled">
      <p>
        Your plan stays active until <DateText at={endsAt} />.
      </p>
    </Alert>
  );
}
