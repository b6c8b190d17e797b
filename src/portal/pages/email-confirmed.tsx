import { useState } from "react";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { AskForLink } from "../account/sign-in/ask-for-link.tsx";
import { AuthPage } from "../account/sign-in/auth-page.tsx";
import { ResendMail } from "../account/sign-in/resend-mail.tsx";
import { Alert } from "../components/alert.tsx";
import { ButtonLink } from "../components/button.tsx";
import { usePlace } from "../shell/router.tsx";
import { useSession } from "../api/session.tsx";
import styles from "../account/sign-in/sign-in.module.css";

const ASK = "/auth/send-verification-email";
const callbackURL = PAGE_PATHS["email-confirmed"];

/** Where the link of a mail ends: it says whether the address is confirmed, and if it is not, mails another one. */
export default function EmailConfirmed() {
  const { query } = usePlace();
  const { email } = useSession();
  const reason = query.get("error");
  if (reason !== null) return <VoidLink isLate={/expired/i.test(reason)} />;
  return (
    <AuthPage title="Your address is confirmed">
      <Alert kind="success" title="The account is ready">
        <p>It is on the free plan. Next, make an API key.</p>
      </Alert>
      {typeof email === "string" ? (
        <ButtonLink
          className={styles.wide}
          look="primary"
          href={PAGE_PATHS.settings}
        >
          Go to your keys
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

function VoidLink({ isLate }: { readonly isLate: boolean }) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null)
    return (
      <AuthPage
        key="sent"
        isStep
        title="Check your e-mail"
        lead={
          <>
            If <strong className={styles.address}>{sentTo}</strong> waits to be
            confirmed, a link is on its way.
          </>
        }
      >
        <ResendMail path={ASK} body={{ email: sentTo, callbackURL }} />
      </AuthPage>
    );
  return (
    <AuthPage
      title={isLate ? "This link has expired" : "This link does not work"}
      lead={
        isLate
          ? "A link works for one hour."
          : "It may be cut off, or its account is gone."
      }
    >
      <AskForLink
        path={ASK}
        bodyFor={(email) => ({ email, callbackURL })}
        hint="Another link goes to it, if it waits to be confirmed."
        button="Send another link"
        onSent={setSentTo}
      />
    </AuthPage>
  );
}
