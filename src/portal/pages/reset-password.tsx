import { useState } from "react";
import { PAGE_TITLES } from "../../site/page-titles.ts";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { MutationError } from "../account/mutation-error.tsx";
import { AuthPage } from "../account/sign-in/auth-page.tsx";
import { Form, useForm, SubmitButton } from "../account/form.tsx";
import {
  NewPasswordField,
  problemOfNewPassword,
  refusalOfPassword,
} from "../account/sign-in/fields.tsx";
import { SignInNext } from "../account/sign-in/sign-in-next.tsx";
import { codeOf } from "../api/use-mutation.ts";
import { ButtonLink } from "../components/button.tsx";
import { broadcastSessionChange } from "../api/session-broadcast.ts";
import { useLocation } from "../shell/router.tsx";
import { useSession } from "../api/session.tsx";
import styles from "../account/sign-in/sign-in.module.css";

export default function ResetPassword() {
  const { query } = useLocation();
  const { refresh } = useSession();
  const token = query.get("token");
  const [changedOf, setChangedOf] = useState<string | null>(null);
  const [isInvalid, setInvalid] = useState(false);
  if (changedOf !== null) return <Done email={changedOf} />;
  if (token === null || isInvalid) return <InvalidLink />;
  return (
    <AuthPage
      title={PAGE_TITLES["reset-password"]}
      lead="This ends all sessions of the account. Its API keys keep working."
    >
      <ResetForm
        token={token}
        onInvalid={() => setInvalid(true)}
        onDone={(email) => {
          setChangedOf(email);
          refresh();
          broadcastSessionChange();
        }}
      />
    </AuthPage>
  );
}

function ResetForm({
  onDone,
  onInvalid,
  token,
}: {
  readonly token: string;
  /** Called with the user's address. */
  readonly onDone: (email: string) => void;
  /** Called when the link is no longer valid. */
  readonly onInvalid: () => void;
}) {
  const [password, setPassword] = useState("");
  const form = useForm<{ readonly email: string }>({
    isComplete: (failure) => problemOfNewPassword(password, failure) === null,
    request: () => ({
      path: "/auth/reset-password",
      body: { token, newPassword: password },
    }),
    onDone: ({ email }) => onDone(email),
    onFailure: (failure) => {
      if (codeOf(failure) === "INVALID_TOKEN") onInvalid();
    },
  });
  return (
    <Form onSubmit={form.submit}>
      <NewPasswordField
        form={form}
        label="New password"
        name="password"
        value={password}
        onText={setPassword}
      />
      {refusalOfPassword(form.failure) === null && (
        <MutationError of={form} onRetry={form.submit} />
      )}
      <SubmitButton isBusy={form.isBusy}>Set new password</SubmitButton>
    </Form>
  );
}

function Done({ email }: { readonly email: string }) {
  return (
    <AuthPage
      isStep
      title="Password changed"
      lead={
        <>
          <strong>{email}</strong> has been signed out everywhere. Sign in with
          the new password.
        </>
      }
    >
      <SignInNext email={email} />
    </AuthPage>
  );
}

function InvalidLink() {
  return (
    <AuthPage
      title="This link doesn’t work"
      lead="Password links work once, within one hour. If you requested several, only the newest one works."
    >
      <ButtonLink
        className={styles.wide}
        look="primary"
        href={PAGE_PATHS["forgot-password"]}
      >
        Get a new link
      </ButtonLink>
    </AuthPage>
  );
}
