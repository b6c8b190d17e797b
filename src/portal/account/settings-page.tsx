import { Fragment, type ReactNode } from "react";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import type { ApiFailure } from "../api/api.ts";
import { FailureAlert } from "../components/failure-alert.tsx";
import { useConfig } from "../api/config.ts";
import { Page } from "../shell/page.tsx";
import { ACCOUNT_PAGES } from "../shell/layout.tsx";
import { Link, useLocation } from "../shell/router.tsx";
import { useSession } from "../api/session.tsx";
import { SignUpClosedPage } from "./sign-in/auth-page.tsx";
import { withQuery } from "./sign-in/next-path.ts";
import { Alert, Skeleton } from "../components/elements.tsx";
import { ButtonLink } from "../components/button.tsx";
import styles from "./account.module.css";

/** Shows a page of the user's account. If the session ends, the content stays, below an offer to sign in. */
export function SettingsPage({
  children,
  lead,
  title,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
}) {
  const { sign_up: hasSignUp } = useConfig();
  const { email, failure, hasEnded, owner, refresh } = useSession();
  if (!hasSignUp) return <SignUpClosedPage title={title} />;
  const isShown = typeof email === "string" || hasEnded;
  return (
    <div className={styles.settings}>
      <SettingsNavigation />
      <Page title={title} lead={lead}>
        {(hasEnded || email === null) && <SignInAgain hasEnded={hasEnded} />}
        {failure !== null && (
          <FailureAlert failure={failure} onRetry={refresh} />
        )}
        {email === undefined && failure === null && !hasEnded && (
          <Skeleton lines={6} />
        )}
        {isShown && <Fragment key={owner}>{children}</Fragment>}
      </Page>
    </div>
  );
}

/** Reports a failed request, but not an ended session: the top of the account page already does. */
export function SettingsFailure({
  failure,
  onRetry,
}: {
  readonly failure: ApiFailure | null;
  readonly onRetry: () => void;
}) {
  return failure === null || failure.kind === "signed_out" ? null : (
    <FailureAlert failure={failure} onRetry={onRetry} />
  );
}

function SettingsNavigation() {
  const { path } = useLocation();
  return (
    <nav aria-label="Account" className={styles.settingsNav}>
      {ACCOUNT_PAGES.map(({ href, text }) => (
        <Link
          key={href}
          href={href}
          aria-current={path === href ? "page" : undefined}
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}

/** Leads to sign-in and back to this page. */
function SignInAgain({ hasEnded }: { readonly hasEnded: boolean }) {
  const { path, query } = useLocation();
  const next = withQuery(path, Object.fromEntries(query));
  return (
    <Alert
      kind={hasEnded ? "warning" : "info"}
      title={hasEnded ? "Your session has ended" : "Sign in to continue"}
    >
      <p>
        {hasEnded
          ? "This page may be out of date. Sign in to come back to it."
          : "This page shows your account."}
      </p>
      <ButtonLink href={withQuery(PAGE_PATHS["sign-in"], { next })}>
        Sign in
      </ButtonLink>
    </Alert>
  );
}
