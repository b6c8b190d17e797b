import { useState } from "react";
import { PAGE_TITLES } from "../../site/page-titles.ts";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { EmailLinkForm } from "../account/sign-in/fields.tsx";
import { AuthPage, CheckEmail } from "../account/sign-in/auth-page.tsx";
import { Link } from "../shell/router.tsx";
import styles from "../account/sign-in/sign-in.module.css";

const SEND_PATH = "/auth/request-password-reset";
const redirectTo = PAGE_PATHS["reset-password"];

export default function ForgotPassword() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null)
    return (
      <CheckEmail
        path={SEND_PATH}
        body={{ email: sentTo, redirectTo }}
        lead={
          <>
            If <strong>{sentTo}</strong> has an account, we’ve sent it a link to
            choose a new password. The link works once, within one hour.
          </>
        }
      >
        <BackToSignIn />
      </CheckEmail>
    );
  return (
    <AuthPage
      title={PAGE_TITLES["forgot-password"]}
      lead="We’ll email you a link to choose a new one."
    >
      <EmailLinkForm
        path={SEND_PATH}
        bodyFor={(email) => ({ email, redirectTo })}
        button="Send link"
        onSent={setSentTo}
      />
      <BackToSignIn />
    </AuthPage>
  );
}

function BackToSignIn() {
  return (
    <p className={styles.footnote}>
      <Link href={PAGE_PATHS["sign-in"]}>Back to sign-in</Link>
    </p>
  );
}
