import { useEffect, useState } from "react";
import { PAGE_TITLES } from "../../site/page-titles.ts";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { MutationError } from "../account/mutation-error.tsx";
import { AuthPage, CheckEmail } from "../account/sign-in/auth-page.tsx";
import {
  EmailField,
  isEmailRefused,
  problemOfEmail,
  NewPasswordField,
  problemOfNewPassword,
  refusalOfPassword,
} from "../account/sign-in/fields.tsx";
import { Form, useForm, SubmitButton } from "../account/form.tsx";
import { GithubButton } from "../account/sign-in/github-button.tsx";
import {
  mailedPath,
  nextPath,
  withQuery,
} from "../account/sign-in/next-path.ts";
import { Link, navigate, useLocation } from "../shell/router.tsx";
import { useSession } from "../api/session.tsx";
import styles from "../account/sign-in/sign-in.module.css";

export default function SignUp() {
  const { query } = useLocation();
  const wanted = query.get("next");
  const next = nextPath(wanted);
  const { email } = useSession();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const isIn = typeof email === "string";
  useEffect(() => {
    if (isIn) navigate(next, { replace: true });
  }, [isIn, next]);
  if (sentTo !== null)
    return (
      <CheckYourEmail
        key={sentTo}
        email={sentTo}
        next={wanted}
        onBack={() => setSentTo(null)}
      />
    );
  return (
    <AuthPage
      title={PAGE_TITLES["sign-up"]}
      lead="Get an API key. The free plan doesn’t need a credit card."
    >
      <SignUpForm next={wanted} onSent={setSentTo} />
      <GithubButton next={next} />
      <p className={styles.footnote}>
        Already have an account?{" "}
        <Link href={withQuery(PAGE_PATHS["sign-in"], { next: wanted })}>
          Sign in
        </Link>
      </p>
    </AuthPage>
  );
}

function SignUpForm({
  next,
  onSent,
}: {
  /** The page that the user came for. */
  readonly next: string | null;
  readonly onSent: (email: string) => void;
}) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const address = email.trim();
  const form = useForm({
    isComplete: (failure) =>
      problemOfEmail(email) === null &&
      problemOfNewPassword(password, failure) === null,
    request: () => ({
      path: "/auth/sign-up/email",
      body: {
        name: "",
        email: address,
        password,
        callbackURL: mailedPath(next),
      },
    }),
    onDone: () => onSent(address),
  });
  return (
    <Form onSubmit={form.submit}>
      <EmailField form={form} value={email} onText={setEmail} />
      <NewPasswordField
        form={form}
        label="Password"
        name="password"
        value={password}
        onText={setPassword}
      />
      {!isEmailRefused(form.failure) &&
        refusalOfPassword(form.failure) === null && (
          <MutationError of={form} onRetry={form.submit} />
        )}
      <SubmitButton isBusy={form.isBusy}>Sign up</SubmitButton>
    </Form>
  );
}

function CheckYourEmail({
  email,
  next,
  onBack,
}: {
  readonly email: string;
  readonly next: string | null;
  readonly onBack: () => void;
}) {
  return (
    <CheckEmail
      path="/auth/send-verification-email"
      body={{ email, callbackURL: mailedPath(next) }}
      lead={
        <>
          We sent a link to <strong>{email}</strong>. Open it within one hour,
          in this browser, to confirm your address and sign in.
        </>
      }
    >
      <p className={styles.footnote}>
        Not your address?{" "}
        <button type="button" className={styles.textButton} onClick={onBack}>
          Change it
        </button>
      </p>
    </CheckEmail>
  );
}
