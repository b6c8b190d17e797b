import { useEffect, useState } from "react";
import { PAGE_TITLES } from "../../site/page-titles.ts";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { EmailLinkForm } from "../account/sign-in/email-link-form.tsx";
import { AuthPage } from "../account/sign-in/auth-page.tsx";
import {
  confirmedPath,
  nextPath,
  withQuery,
} from "../account/sign-in/next-path.ts";
import { ResendMail } from "../account/sign-in/resend-mail.tsx";
import { Alert } from "../components/alert.tsx";
import { ButtonLink } from "../components/button.tsx";
import { Spinner } from "../components/loading.tsx";
import { navigate, useLocation } from "../shell/router.tsx";
import { useSession } from "../api/session.tsx";
import styles from "../account/sign-in/sign-in.module.css";

const SEND_PATH = "/auth/send-verification-email";

/** Where the link in the sign-up email leads, after it confirmed the address; otherwise, it offers a new link. */
export default function EmailConfirmed() {
  const { query } = useLocation();
  const reason = query.get("error");
  const next = query.get("next");
  return reason === null ? (
    <Confirmed next={next} />
  ) : (
    <InvalidLink next={next} isLate={/expired/i.test(reason)} />
  );
}

/**
 * In the browser that signed up, the link has signed in, too: it leads to the page that the user came for. Elsewhere, the
 * user signs in first.
 */
function Confirmed({ next }: { readonly next: string | null }) {
  const { email, failure } = useSession();
  const isIn = typeof email === "string";
  const leadsOn = isIn && next !== null;
  useEffect(() => {
    if (leadsOn) navigate(nextPath(next), { replace: true });
  }, [leadsOn, next]);
  if (leadsOn || (email === undefined && failure === null))
    return (
      <AuthPage title={PAGE_TITLES["email-confirmed"]}>
        <Spinner label="Loading" />
      </AuthPage>
    );
  return (
    <AuthPage title={PAGE_TITLES["email-confirmed"]}>
      <Alert
        kind="success"
        title={isIn ? "You’re signed in" : "Your account is ready"}
      >
        <p>
          {isIn
            ? "Your account is on the free plan. Next, create an API key."
            : "It’s on the free plan. Sign in with the password that you chose."}
        </p>
      </Alert>
      <ButtonLink
        className={styles.wide}
        look="primary"
        href={
          isIn
            ? PAGE_PATHS.settings
            : withQuery(PAGE_PATHS["sign-in"], { next })
        }
      >
        {isIn ? "Go to API keys" : "Sign in"}
      </ButtonLink>
    </AuthPage>
  );
}

function InvalidLink({
  isLate,
  next,
}: {
  readonly isLate: boolean;
  readonly next: string | null;
}) {
  const callbackURL = confirmedPath(next);
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null)
    return (
      <AuthPage
        key="sent"
        isStep
        title="Check your email"
        lead={
          <>
            If <strong className={styles.address}>{sentTo}</strong> is waiting
            to be confirmed, we’ve sent it a new link.
          </>
        }
      >
        <ResendMail path={SEND_PATH} body={{ email: sentTo, callbackURL }} />
      </AuthPage>
    );
  return (
    <AuthPage
      title={isLate ? "This link has expired" : "This link doesn’t work"}
      lead={
        isLate
          ? "Links work for one hour. Enter your email address to get a new one."
          : "It may be incomplete, or the account may be gone. Enter your email address to get a new link."
      }
    >
      <EmailLinkForm
        path={SEND_PATH}
        bodyFor={(email) => ({ email, callbackURL })}
        hint="We’ll send a new link if this address still needs to be confirmed."
        button="Send a new link"
        onSent={setSentTo}
      />
    </AuthPage>
  );
}
