import { useEffect, useState } from "react";
import { PAGE_TITLES } from "../../site/page-titles.ts";
import type { PlanSummary } from "../../site/portal-config.ts";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { RedirectButton } from "../account/sign-in/github-button.tsx";
import {
  QuotaNotice,
  PaymentNotice,
} from "../account/usage/account-notices.tsx";
import { withQuery } from "../account/sign-in/next-path.ts";
import { planTitle, formatCount } from "../format.ts";
import type { AccountInfo } from "../../contract/account.ts";
import { SettingsFailure, SettingsPage } from "../account/settings-page.tsx";
import {
  Alert,
  Facts,
  Skeleton,
  Tag,
  UtcDay,
} from "../components/elements.tsx";
import { ButtonLink } from "../components/button.tsx";
import { Operator } from "../components/operator.tsx";
import { useConfig } from "../api/config.ts";
import { Page } from "../shell/page.tsx";
import { useLocation } from "../shell/router.tsx";
import { useSession } from "../api/session.tsx";
import { useQuery, type Query } from "../api/use-query.ts";
import styles from "../account/account.module.css";

/** Stripe usually confirms within seconds. */
const POLL_MS = 2_000;
const MAX_POLLS = 30;

const LEAD = "What your plan includes, and how to change it.";

/** True if users get the plan here: by signing up, or by buying it. */
function isOffered({ for_sale: isSold, price }: PlanSummary): boolean {
  return isSold || price === "free";
}

/** Shows the plans that users get here; for signed-in users, also theirs and how to change it. */
export default function Plan() {
  const { plans, sign_up: hasSignUp } = useConfig();
  const offered = hasSignUp ? plans.filter(isOffered) : [];
  const { email, hasEnded } = useSession();
  if (hasSignUp && (email !== null || hasEnded))
    return (
      <SettingsPage title="Plan" lead={LEAD}>
        <CurrentPlan />
      </SettingsPage>
    );
  return (
    <Page title={PAGE_TITLES.plan} lead="What each plan includes.">
      <ul className={styles.plans} hidden={offered.length === 0}>
        {offered.map((plan) => (
          <PlanCard key={plan.name} plan={plan} />
        ))}
      </ul>
      {!offered.some((plan) => plan.for_sale) && (
        <p>
          For {hasSignUp ? "more requests" : "an API key"}, ask <Operator />.
        </p>
      )}
      {hasSignUp && (
        <ButtonLink
          look="primary"
          href={withQuery(PAGE_PATHS["sign-up"], { next: PAGE_PATHS.plan })}
        >
          Sign up
        </ButtonLink>
      )}
    </Page>
  );
}

function CurrentPlan() {
  const account = useQuery<AccountInfo>("/account");
  const own = account.answer?.data ?? null;
  const isPaying = own !== null && own.subscription !== null;
  return (
    <>
      <Checkout account={account} isPaying={isPaying} />
      <SettingsFailure failure={account.failure} onRetry={account.retry} />
      {own === null && account.failure === null ? (
        <Skeleton lines={16} />
      ) : (
        <Choice own={own} isPaying={isPaying} />
      )}
    </>
  );
}

/** Shows the account's plan, and those that can be bought. */
function Choice({
  isPaying,
  own,
}: {
  /** Null if it can't be loaded. */
  readonly own: AccountInfo | null;
  readonly isPaying: boolean;
}) {
  const { billing, plans } = useConfig();
  const offered = plans.filter(
    (plan) => plan.name === own?.plan || (billing && isOffered(plan)),
  );
  return (
    <>
      {own !== null && (
        <>
          <PaymentNotice account={own} />
          <QuotaNotice account={own} />
          <p>
            You’ve used <strong>{formatCount(own.used)}</strong> of{" "}
            {formatCount(own.quota)} requests this month. The count resets on{" "}
            <UtcDay at={own.resets_at} /> (UTC).
          </p>
        </>
      )}
      <ul className={styles.plans} hidden={offered.length === 0}>
        {offered.map((plan) => (
          <PlanCard
            key={plan.name}
            plan={plan}
            isOwn={plan.name === own?.plan}
            canBuy={own !== null && !isPaying && own.status === "active"}
          />
        ))}
      </ul>
      {own !== null && !plans.some(({ name }) => name === own.plan) && (
        <p>Your plan is {planTitle(own.plan)}, which isn’t listed here.</p>
      )}
      {billing ? (
        <Payments isPaying={isPaying} />
      ) : (
        <p>
          For another plan, ask <Operator />.
        </p>
      )}
    </>
  );
}

function PlanCard({
  canBuy = false,
  isOwn = false,
  plan: { files, for_sale: isSold, name, price, quota, requests_per_second },
}: {
  readonly plan: PlanSummary;
  readonly isOwn?: boolean;
  readonly canBuy?: boolean;
}) {
  return (
    <li className={isOwn ? `${styles.plan} ${styles.planOwn}` : styles.plan}>
      <div className={styles.rowHead}>
        <h2 className={styles.rowName}>{planTitle(name)}</h2>
        {isOwn && <Tag look="good">Your plan</Tag>}
      </div>
      {price !== name && (
        <p className={styles.planPrice}>{price ?? "Price on request"}</p>
      )}
      <Facts
        className={styles.planFacts}
        facts={[
          ["Requests per month", formatCount(quota)],
          ["Requests per second", formatCount(requests_per_second)],
          ["Files for SQL", files ? "Included" : null],
        ]}
      />
      {isSold && canBuy && !isOwn && (
        <RedirectButton
          look="primary"
          path="/account/billing/checkout"
          body={{ plan: name }}
        >
          Choose {planTitle(name)}
        </RedirectButton>
      )}
    </li>
  );
}

/** Leads to Stripe's customer portal. */
function Payments({ isPaying }: { readonly isPaying: boolean }) {
  return (
    <section>
      <h2 id="payments" tabIndex={-1}>
        Payments
      </h2>
      <p>
        {isPaying
          ? "Change your card, see invoices, or cancel your subscription on Stripe."
          : "You pay on Stripe. If you’ve paid before, your invoices are there."}
      </p>
      <RedirectButton path="/account/billing/portal" body={{}}>
        Manage payments
      </RedirectButton>
    </section>
  );
}

/** Reports the outcome of a purchase, when Stripe sends the user back. */
function Checkout({
  account: { isLoading, retry },
  isPaying,
}: {
  readonly account: Query<AccountInfo, unknown>;
  readonly isPaying: boolean;
}) {
  const { query } = useLocation();
  const result = query.get("checkout");
  const [polls, setPolls] = useState(0);
  const isWaiting = result === "paid" && !isPaying && polls < MAX_POLLS;
  useEffect(() => {
    if (!isWaiting || isLoading) return undefined;
    const timer = setTimeout(() => {
      setPolls(polls + 1);
      retry();
    }, POLL_MS);
    return () => clearTimeout(timer);
  }, [polls, isLoading, isWaiting, retry]);
  if (result === "cancelled")
    return (
      <Alert title="Checkout canceled">
        <p>You left before paying. Your plan hasn’t changed.</p>
      </Alert>
    );
  if (result !== "paid") return null;
  if (isPaying)
    return (
      <Alert kind="success" title="Your plan has changed">
        <p>
          Thank you. The new limits apply to all of your keys within five
          seconds.
        </p>
      </Alert>
    );
  return (
    <Alert
      title={
        isWaiting ? "Waiting for your payment" : "Payment not confirmed yet"
      }
    >
      <p>
        {isWaiting
          ? "Your plan changes when Stripe confirms the payment, usually within seconds. This page updates by itself."
          : "Stripe hasn’t confirmed the payment yet. Check again in a few minutes."}
      </p>
    </Alert>
  );
}
