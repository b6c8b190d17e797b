import { useState } from "react";
import { Alert } from "../../components/elements.tsx";
import { Button } from "../../components/button.tsx";
import { FailureAlert } from "../../components/failure-alert.tsx";
import { Checkbox, Field } from "../../components/field.tsx";
import { broadcastSessionChange } from "../../api/session-broadcast.ts";
import { useSession } from "../../api/session.tsx";
import { MutationError } from "../mutation-error.tsx";
import { AuthPage } from "./auth-page.tsx";
import { Form, useForm, SubmitButton } from "../form.tsx";
import { codeOf } from "../../api/use-mutation.ts";
import styles from "./sign-in.module.css";

const WRONG_CODES: ReadonlySet<string> = new Set([
  "CODE_USED",
  "INVALID_CODE",
  "INVALID_BACKUP_CODE",
]);
/** After these the user has to start over. */
const EXPIRED: ReadonlySet<string> = new Set([
  "INVALID_TWO_FACTOR_COOKIE",
  "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE",
]);

/** Asks for an authenticator or recovery code after the password. */
export function SecondStep({
  onRestart,
}: {
  /** Called to go back to the password. */
  readonly onRestart: () => void;
}) {
  const session = useSession();
  const [code, setCode] = useState("");
  const [isRecovery, setRecovery] = useState(false);
  const [isTrusted, setTrusted] = useState(false);
  const given = isRecovery ? code.trim() : code.replaceAll(" ", "");
  const form = useForm({
    isComplete: () => given !== "",
    request: () => ({
      path: `/auth/two-factor/${isRecovery ? "verify-backup-code" : "verify-totp"}`,
      body: { code: given, trustDevice: isTrusted },
    }),
    onDone() {
      session.refresh();
      broadcastSessionChange();
    },
  });
  const refusal = codeOf(form.failure) ?? "";
  const isWrong = WRONG_CODES.has(refusal);

  function switchMethod(): void {
    setRecovery(!isRecovery);
    setCode("");
    form.reset();
  }

  return (
    <AuthPage
      isStep
      title={isRecovery ? "Recovery code" : "Authentication code"}
      lead={
        isRecovery
          ? "Enter one of your saved recovery codes. Each code works once."
          : "Enter the six-digit code from your authenticator app."
      }
    >
      <Form onSubmit={form.submit}>
        {EXPIRED.has(refusal) && (
          <Alert kind="problem" title="This sign-in has expired">
            <p>You entered too many wrong codes, or it took too long.</p>
            <Button onClick={onRestart}>Sign in again</Button>
          </Alert>
        )}
        {refusal === "ACCOUNT_TEMPORARILY_LOCKED" && (
          <Alert kind="problem" title="Too many wrong codes">
            <p>
              Try again in 15 minutes. If you didn’t enter those codes, someone
              knows your password: change it.
            </p>
          </Alert>
        )}
        {!isWrong &&
          !EXPIRED.has(refusal) &&
          refusal !== "ACCOUNT_TEMPORARILY_LOCKED" && (
            <MutationError of={form} onRetry={form.submit} />
          )}
        {session.failure !== null && (
          <FailureAlert failure={session.failure} onRetry={session.refresh} />
        )}
        <Field
          key={String(isRecovery)}
          label={isRecovery ? "Recovery code" : "Code"}
          inputMode={isRecovery ? "text" : "numeric"}
          autoComplete={isRecovery ? "off" : "one-time-code"}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={20}
          value={code}
          onChange={form.typed(setCode)}
          problem={
            isWrong
              ? isRecovery
                ? "This isn’t one of your recovery codes, or you’ve already used it."
                : "This code is wrong, has expired, or was already used. Enter the code the app shows now."
              : form.isTried && code === ""
                ? "Enter the code."
                : null
          }
        />
        <Checkbox
          label="Don’t ask for a code on this device for 30 days"
          isChecked={isTrusted}
          onChange={setTrusted}
        />
        <SubmitButton isBusy={form.isBusy}>Sign in</SubmitButton>
      </Form>
      <div className={styles.otherWay}>
        <Button look="quiet" onClick={switchMethod}>
          {isRecovery ? "Use the authenticator app" : "Use a recovery code"}
        </Button>
      </div>
    </AuthPage>
  );
}
