import { useState } from "react";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { ActFailure } from "../account/act-failure.tsx";
import { AuthPage } from "../account/auth-page.tsx";
import { Form, problemOfEmail, showFirstProblem } from "../account/form.tsx";
import { MailAgain } from "../account/mail-again.tsx";
import { useAct } from "../account/use-act.ts";
import { Button } from "../components/button.tsx";
import { Field } from "../components/field.tsx";
import { Link } from "../router.tsx";

const ASK = "/auth/request-password-reset";
const redirectTo = PAGE_PATHS["reset-password"];

export default function ForgotPassword() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null)
    return (
      <AuthPage
        key="sent"
        isStep
        title="Look into your mail"
        lead={
          <>
            If <strong className="address">{sentTo}</strong> has an account, a
            link to choose a new password is on its way. It works once, for one
            hour.
          </>
        }
      >
        <MailAgain path={ASK} body={{ email: sentTo, redirectTo }} />
        <BackToSignIn />
      </AuthPage>
    );
  return (
    <AuthPage
      title="Forgot your password?"
      lead="A link to choose a new one comes by e-mail."
    >
      <ForgotForm onSent={setSentTo} />
      <BackToSignIn />
    </AuthPage>
  );
}

function ForgotForm({ onSent }: { readonly onSent: (email: string) => void }) {
  const [email, setEmail] = useState("");
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
    const answer = await run(ASK, { body: { email: address, redirectTo } });
    if (answer !== null) onSent(address);
  }

  return (
    <Form onSubmit={() => void send()}>
      <Field
        label="E-mail address"
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
        Send the link
      </Button>
    </Form>
  );
}

function BackToSignIn() {
  return (
    <p className="beside">
      <Link href={PAGE_PATHS["sign-in"]}>Back to sign-in</Link>
    </p>
  );
}
