import { useState } from "react";
import { Alert } from "../../components/elements.tsx";
import { Button } from "../../components/button.tsx";
import { useSession } from "../../api/session.tsx";
import { MutationError } from "../mutation-error.tsx";
import { Form, useForm } from "../form.tsx";
import {
  EmailField,
  PasswordField,
  isEmailRefused,
  problemOfEmail,
} from "../sign-in/fields.tsx";
import { codeOf } from "../../api/use-mutation.ts";
import styles from "../account.module.css";

/** Asks for another email address, which the link in a mail to it then confirms. */
export function ChangeAddress({
  hasPassword,
}: {
  /** False for users who sign in only with GitHub. */
  readonly hasPassword: boolean;
}) {
  const { owner } = useSession();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({
    isComplete: () =>
      problemOfEmail(email) === null && (!hasPassword || password !== ""),
    onTry: () => setSentTo(null),
    request: () => ({
      path: "/account/email",
      body: { email: email.trim(), ...(hasPassword ? { password } : {}) },
    }),
    onDone() {
      form.reset();
      setSentTo(email.trim());
      setEmail("");
      setPassword("");
    },
  });
  const isWrong = codeOf(form.failure) === "wrong_password" && hasPassword;
  const missing = password === "" ? "Enter your password." : null;
  return (
    <section aria-labelledby="address" className={styles.formPart}>
      <h2 id="address">Email address</h2>
      <p>
        Your address is <strong>{owner}</strong>. We’ll send a link to the new
        one, and a notice to this one. Keys and sessions stay.
      </p>
      <Form onSubmit={form.submit}>
        <EmailField
          label="New email address"
          form={form}
          value={email}
          onText={setEmail}
        />
        {hasPassword ? (
          <PasswordField
            label="Password to confirm"
            value={password}
            onChange={form.typed(setPassword)}
            problem={
              isWrong ? "Wrong password." : form.isTried ? missing : null
            }
          />
        ) : (
          <p>
            You have no password, so you must have signed in within the last ten
            minutes.
          </p>
        )}
        {!isWrong && !isEmailRefused(form.failure) && (
          <MutationError of={form} onRetry={form.submit} />
        )}
        {sentTo !== null && (
          <Alert kind="success" title="Check your email">
            <p>
              Open the link that we’ve sent to <strong>{sentTo}</strong>, within
              one hour. Until then, nothing changes.
            </p>
          </Alert>
        )}
        <Button type="submit" isBusy={form.isBusy}>
          Change email address
        </Button>
      </Form>
    </section>
  );
}
