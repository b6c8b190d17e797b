import { useState } from "react";
import { PAGE_PATHS } from "../../../site/page-paths.ts";
import { Alert } from "../../components/elements.tsx";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/field.tsx";
import { Link } from "../../shell/router.tsx";
import { MutationError } from "../mutation-error.tsx";
import { Form, useForm } from "../form.tsx";
import {
  NewPasswordField,
  PasswordField,
  problemOfNewPassword,
  refusalOfPassword,
} from "../sign-in/fields.tsx";
import { codeOf, isUncertain } from "../../api/use-mutation.ts";
import styles from "../account.module.css";

export function ChangePassword({
  hasPassword,
  onChanged,
}: {
  /** False for users who sign in only with GitHub. */
  readonly hasPassword: boolean;
  readonly onChanged: () => void;
}) {
  return (
    <section aria-labelledby="password">
      <h2 id="password">Password</h2>
      {hasPassword ? (
        <PasswordForm onChanged={onChanged} />
      ) : (
        <p>
          You sign in with GitHub and have no password.{" "}
          <Link href={PAGE_PATHS["forgot-password"]}>Get a link by email</Link>{" "}
          to choose one.
        </p>
      )}
    </section>
  );
}

function PasswordForm({ onChanged }: { readonly onChanged: () => void }) {
  const [current, setCurrent] = useState("");
  const [chosen, setChosen] = useState("");
  const [endsOthers, setEndsOthers] = useState(true);
  const [isDone, setDone] = useState(false);
  /** True if a try may have changed it although its response was lost. */
  const [mayBeDone, setMayBeDone] = useState(false);
  const form = useForm({
    isComplete: (failure) =>
      current !== "" && problemOfNewPassword(chosen, failure) === null,
    onTry: () => setDone(false),
    request: () => ({
      path: "/auth/change-password",
      body: {
        currentPassword: current,
        newPassword: chosen,
        revokeOtherSessions: endsOthers,
      },
    }),
    onDone() {
      form.reset();
      setMayBeDone(false);
      setCurrent("");
      setChosen("");
      setDone(true);
      onChanged();
    },
    onFailure: (failure) => {
      if (isUncertain(failure)) setMayBeDone(true);
    },
  });
  const isWrong = codeOf(form.failure) === "INVALID_PASSWORD";
  const currentProblem = isWrong
    ? `Wrong password${mayBeDone ? ", or your last try did change it" : ""}.`
    : current === ""
      ? "Enter your password."
      : null;

  return (
    <div className={styles.formPart}>
      <Form onSubmit={form.submit}>
        <PasswordField
          label="Current password"
          value={current}
          onChange={form.typed(setCurrent)}
          problem={form.isTried || isWrong ? currentProblem : null}
        />
        <NewPasswordField
          form={form}
          label="New password"
          value={chosen}
          onText={setChosen}
        />
        <Checkbox
          label="End all other sessions"
          isChecked={endsOthers}
          onChange={setEndsOthers}
        />
        {!isWrong && refusalOfPassword(form.failure) === null && (
          <MutationError of={form} onRetry={form.submit} />
        )}
        {isDone && (
          <Alert kind="success" title="Your password has been changed" />
        )}
        <Button type="submit" isBusy={form.isBusy}>
          Change password
        </Button>
      </Form>
    </div>
  );
}
