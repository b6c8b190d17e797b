import { useState } from "react";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { EmailLinkForm } from "../account/sign-in/email-link-form.tsx";
import { AuthPage } from "../account/sign-in/auth-page.tsx";
import { ResendMail } from "../account/sign-in/resend-mail.tsx";
import { Alert } from "../components/alert.tsx";
import { ButtonLink } from "../components/button.tsx";
import { useLocation } from "../shell/router.tsx";
import { useSession } from "../api/session.tsx";
import styles from "../account/sign-in/sign-in.module.css";

const SEND_PATH = "/auth/send-verification-email";
const callbackURL = PAGE_PATHS["email-confirmed"];

/** Where the link in the sign-up email leads: confirms the address, or offers a new link. */
export default function EmailConfirmed() {
  const { query } = useLocation();
  const { email } = useSession();
  const reason = query.get("error");
  if (reason !== null) return <InvalidLink isLate={/expired/i.test(reason)} />;
  return (
    <AuthPage title="Email address confirmed">
      <Alert kind="success" title="Your account is ready">
        <p>You’re on the free plan. Next, create an API key.</p>
      </Alert>
      {typeof email === "string" ? (
        <ButtonLink
          className={styles.wide}
          look="primary"
          href={PAGE_PATHS.settings}
        >
          Go to API keys
        </ButtonLink>
      ) : (
        <ButtonLink
          className={styles.wide}
          look="primary"
          href={PAGE_PATHS["sign-in"]}
        >
          Sign in
        </ButtonLink>
      )}
    </AuthPage>
  );
}

function InvalidLink({ isLate }: { readonly isLate: boolean }) {
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
