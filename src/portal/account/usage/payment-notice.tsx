import { PAGE_PATHS } from "../../../site/page-paths.ts";
import { Alert } from "../../components/alert.tsx";
import { useConfig } from "../../api/config.ts";
import { Link } from "../../shell/router.tsx";
import type { OwnAccount } from "../../../contract/account.ts";
import { DateText } from "../date-text.tsx";

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
