import { useState } from "react";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { ActFailure } from "../account/act-failure.tsx";
import { AuthPage } from "../account/auth-page.tsx";
import { Form, problemOfEmail, showFirstProblem } from "../account/form.tsx";
import { MailAgain } from "../account/mail-again.tsx";
import { useAct } from "../account/use-act.ts";
import { Alert } from "../components/alert.tsx";
import { Button, ButtonLink } from "../components/button.tsx";
import { Field } from "../components/field.tsx";
import { usePlace } from "../router.tsx";
import { useSession } from "../session.tsx";

const CONFIRMED = PAGE_PATHS["email-confirmed"];

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
        <ButtonLink className="wide" look="primary" href={PAGE_PATHS.settings}>
          Go to your keys
        </ButtonLink>
      ) : (
        <ButtonLink
          className="wide"
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
  const [email, setEmail] = useState("");
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [isTried, setTried] = useState(false);
  const { failure, forget, isBusy, run } = useAct();
  const problem = problemOfEmail(email);

  async function send(): Promise<void> {
    setTried(true);
    if (problem !== null) {
      showFirstProblem();
      return;
    }
    const address = email.trim();
    const body = { email: address, callbackURL: CONFIRMED };
    const answer = await run("/auth/send-verification-email", { body });
    if (answer !== null) setSentTo(address);
  }

  return (
    <AuthPage
      title={isLate ? "This link has expired" : "This link does not work"}
      lead={
        isLate
          ? "A link works for one hour."
          : "It may be cut off, or its account is gone."
      }
    >
      {sentTo === null ? (
        <Form onSubmit={() => void send()}>
          <Field
            label="E-mail address"
            hint="Another link goes to it, if it waits to be confirmed."
            name="email"
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            problem={isTried ? problem : null}
          />
          <ActFailure
            failure={failure}
            onForget={forget}
            onRetry={() => void send()}
          />
          <Button className="wide" type="submit" look="primary" isBusy={isBusy}>
            Send another link
          </Button>
        </Form>
      ) : (
        <>
          <Alert kind="success" title="Look into your mail">
            <p>
              If <strong className="address">{sentTo}</strong> waits to be
              confirmed, a link is on its way.
            </p>
          </Alert>
          <MailAgain
            path="/auth/send-verification-email"
            body={{ email: sentTo, callbackURL: CONFIRMED }}
          />
        </>
      )}
    </AuthPage>
  );
}
