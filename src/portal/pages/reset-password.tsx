import { useState } from "react";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { MutationError } from "../account/mutation-error.tsx";
import { AuthPage } from "../account/sign-in/auth-page.tsx";
import { Form, showFirstProblem } from "../account/form.tsx";
import {
  PasswordField,
  problemOfNewPassword,
  refusalOfPassword,
} from "../account/sign-in/password-field.tsx";
import { codeOf, useMutation, type Mutation } from "../api/use-mutation.ts";
import { Button, ButtonLink } from "../components/button.tsx";
import { broadcastSessionChange } from "../api/session-broadcast.ts";
import { usePlace } from "../shell/router.tsx";
import { useSession } from "../api/session.tsx";

export default function ResetPassword() {
  const { query } = usePlace();
  const { refresh } = useSession();
  const [isDone, setDone] = useState(false);
  const act = useMutation();
  const token = query.get("token");
  if (isDone) return <Done />;
  if (token === null || codeOf(act.failure) === "INVALID_TOKEN")
    return <VoidLink />;
  return (
    <AuthPage
      title="Choose a new password"
      lead="All sessions of your account end with it. API keys go on working."
    >
      <ResetForm
        act={act}
        token={token}
        onDone={() => {
          setDone(true);
          refresh();
          broadcastSessionChange();
        }}
      />
    </AuthPage>
  );
}

function ResetForm({
  act: { failure, forget, isBusy, run },
  onDone,
  token,
}: {
  readonly act: Mutation;
  readonly token: string;
  readonly onDone: () => void;
}) {
  const [password, setPassword] = useState("");
  const [isTried, setTried] = useState(false);
  const problem = problemOfNewPassword(password, failure);

  async function send(): Promise<void> {
    setTried(true);
    if (problem !== null) {
      showFirstProblem();
      return;
    }
    const body = { token, newPassword: password };
    const answer = await run("/auth/reset-password", { body });
    if (answer !== null) onDone();
  }

  return (
    <Form onSubmit={() => void send()}>
      <PasswordField
        isNew
        label="New password"
        name="password"
        value={password}
        onChange={(event) => {
          setPassword(event.target.value);
          forget();
        }}
        problem={isTried ? problem : null}
      />
      {refusalOfPassword(failure) === null && (
        <MutationError
          failure={failure}
          onForget={forget}
          onRetry={() => void send()}
        />
      )}
      <Button className="wide" type="submit" look="primary" isBusy={isBusy}>
        Set the password
      </Button>
    </Form>
  );
}

function Done() {
  return (
    <AuthPage
      isStep
      title="Your password is changed"
      lead="All sessions have ended. Sign in with the new one."
    >
      <ButtonLink className="wide" look="primary" href={PAGE_PATHS["sign-in"]}>
        Sign in
      </ButtonLink>
    </AuthPage>
  );
}

function VoidLink() {
  return (
    <AuthPage
      title="This link does not work"
      lead="A link to choose a password works once, for one hour, and only the newest."
    >
      <ButtonLink
        className="wide"
        look="primary"
        href={PAGE_PATHS["forgot-password"]}
      >
        Have another one mailed
      </ButtonLink>
    </AuthPage>
  );
}
