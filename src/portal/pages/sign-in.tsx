import { useEffect, useState } from "react";
import { PAGE_TITLES } from "../../site/page-titles.ts";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { MutationError } from "../account/mutation-error.tsx";
import { AuthPage } from "../account/sign-in/auth-page.tsx";
import {
  EmailField,
  isEmailRefused,
  problemOfEmail,
  PasswordField,
} from "../account/sign-in/fields.tsx";
import { Form, useForm, SubmitButton } from "../account/form.tsx";
import { GithubButton } from "../account/sign-in/github-button.tsx";
import {
  mailedPath,
  nextPath,
  withQuery,
} from "../account/sign-in/next-path.ts";
import { SecondStep } from "../account/sign-in/second-step.tsx";
import { codeOf } from "../api/use-mutation.ts";
import { Alert } from "../components/elements.tsx";
import { FailureAlert } from "../components/failure-alert.tsx";
import { broadcastSessionChange } from "../api/session-broadcast.ts";
import { Link, navigate, useLocation } from "../shell/router.tsx";
import { useSession } from "../api/session.tsx";
import styles from "../account/sign-in/sign-in.module.css";

const WRONG_CREDENTIALS = "INVALID_EMAIL_OR_PASSWORD";

/** The reasons why signing in with GitHub or a link failed, by the `error` in the address. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ["access_denied", "You didn’t allow the sign-in on GitHub."],
  [
    "account_not_linked",
    "This email address already has an account with a password. Sign in with the password, then once with GitHub to connect the two. The address must be confirmed on GitHub, too.",
  ],
  ["email_not_found", "GitHub didn’t give us a confirmed email address."],
  [
    "unable_to_get_user_info",
    "GitHub didn’t give us a confirmed email address.",
  ],
]);
const ANY_REASON =
  "You didn’t finish signing in, or it took too long. Please try again.";

const NOTICES: ReadonlyMap<string, string> = new Map([
  ["deleted", "Your account has been deleted"],
  ["signed-out", "You’re signed out"],
]);

export default function SignIn() {
  const { query } = useLocation();
  const { email } = useSession();
  const wanted = query.get("next");
  const next = nextPath(wanted);
  const reason = query.get("error");
  const notice = NOTICES.get(query.get("notice") ?? "");
  const [isTried, setTried] = useState(false);
  const [isSecond, setSecond] = useState(query.get("step") === "code");
  const isIn = typeof email === "string";
  useEffect(() => {
    if (isIn) navigate(next, { replace: true });
  }, [isIn, next]);
  if (isSecond) return <SecondStep onRestart={() => setSecond(false)} />;
  return (
    <AuthPage title={PAGE_TITLES["sign-in"]}>
      {notice !== undefined && !isTried && (
        <Alert kind="success" title={notice} />
      )}
      {reason !== null && !isTried && (
        <Alert kind="problem" title="Sign-in failed">
          <p>{REASONS.get(reason.toLowerCase()) ?? ANY_REASON}</p>
        </Alert>
      )}
      <SignInForm
        next={wanted}
        onSend={() => setTried(true)}
        onSecondStep={() => setSecond(true)}
      />
      <GithubButton next={next} />
      <p className={styles.footnote}>
        Don’t have an account?{" "}
        <Link href={withQuery(PAGE_PATHS["sign-up"], { next: wanted })}>
          Sign up
        </Link>
      </p>
    </AuthPage>
  );
}

function SignInForm({
  next,
  onSecondStep,
  onSend,
}: {
  /** The page that the user came for. */
  readonly next: string | null;
  readonly onSend: () => void;
  /** Called if the password was right and a code is needed. */
  readonly onSecondStep: () => void;
}) {
  const session = useSession();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [isIn, setIn] = useState(false);
  /** The service accepted the password, but the browser didn't keep the session cookie. */
  const isLost =
    isIn &&
    !session.isLoading &&
    session.failure === null &&
    session.email === null;
  const form = useForm<{ readonly twoFactorRedirect?: boolean } | null>({
    isComplete: () => problemOfEmail(email) === null && password !== "",
    onTry: () => setIn(false),
    request() {
      onSend();
      // Where the new confirmation email leads, if the address isn't confirmed yet.
      const callbackURL = mailedPath(next);
      const body = { email: email.trim(), password, callbackURL };
      return { path: "/auth/sign-in/email", body };
    },
    onDone(answer) {
      if (answer?.twoFactorRedirect === true) {
        onSecondStep();
        return;
      }
      setIn(true);
      session.refresh();
      broadcastSessionChange();
    },
  });
  return (
    <Form onSubmit={form.submit}>
      {codeOf(form.failure) === WRONG_CREDENTIALS ? (
        <Alert kind="problem" title="Wrong email address or password">
          <p>
            If you haven’t confirmed your address yet, we’ve just emailed you a
            new link.
          </p>
        </Alert>
      ) : (
        !isEmailRefused(form.failure) && (
          <MutationError of={form} onRetry={form.submit} />
        )
      )}
      {isIn && session.failure !== null && (
        <FailureAlert failure={session.failure} onRetry={session.refresh} />
      )}
      {isLost && (
        <Alert kind="problem" title="Your browser blocked this site’s cookie">
          <p>
            Your password is right, but you can’t stay signed in without the
            cookie. Allow cookies for this site, or open the address shown in
            its emails.
          </p>
        </Alert>
      )}
      <EmailField form={form} value={email} onText={setEmail} />
      <PasswordField
        label="Password"
        name="password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        problem={
          form.isTried && password === "" ? "Enter your password." : null
        }
      />
      <SubmitButton
        isBusy={form.isBusy || (isIn && !isLost && session.failure === null)}
      >
        Sign in
      </SubmitButton>
      <p className={styles.footnote}>
        <Link href={PAGE_PATHS["forgot-password"]}>Forgot your password?</Link>
      </p>
    </Form>
  );
}
