import { useState } from "react";
import { PAGE_PATHS } from "../../../site/page-paths.ts";
import { Alert } from "../../components/alert.tsx";
import { Button } from "../../components/button.tsx";
import { Link } from "../../shell/router.tsx";
import { MutationError } from "../mutation-error.tsx";
import { Form, showFirstProblem } from "../form.tsx";
import {
  PasswordField,
  problemOfNewPassword,
  refusalOfPassword,
} from "../sign-in/password-field.tsx";
import { codeOf, isUnsure, useMutation } from "../../api/use-mutation.ts";

export function ChangePassword({
  hasPassword,
  onChanged,
}: {
  /** Whoever signs in by GitHub alone has none. */
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
          You have none, because you sign in with GitHub.{" "}
          <Link href={PAGE_PATHS["forgot-password"]}>Have a link mailed</Link>{" "}
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
  const [isTried, setTried] = useState(false);
  const [isDone, setDone] = useState(false);
  /** Whether a try may have changed it, though no answer came. */
  const [isMaybeDone, setMaybeDone] = useState(false);
  const { attempt, failure, forget, isBusy } = useMutation();
  const isWrong = codeOf(failure) === "INVALID_PASSWORD";
  const chosenProblem = problemOfNewPassword(chosen, failure);
  const currentProblem = isWrong
    ? `This is not your password${isMaybeDone ? ", or the try whose answer was lost has changed it" : ""}.`
    : current === ""
      ? "Enter your password."
      : null;

  async function change(): Promise<void> {
    setTried(true);
    setDone(false);
    if (current === "" || chosenProblem !== null) {
      showFirstProblem();
      return;
    }
    const outcome = await attempt("/auth/change-password", {
      body: {
        currentPassword: current,
        newPassword: chosen,
        revokeOtherSessions: endsOthers,
      },
    });
    if (outcome?.ok !== true) {
      showFirstProblem();
      if (outcome !== null && isUnsure(outcome.failure)) setMaybeDone(true);
      return;
    }
    setTried(false);
    setMaybeDone(false);
    setCurrent("");
    setChosen("");
    setDone(true);
    onChanged();
  }

  return (
    <div className="form-part">
      <Form onSubmit={() => void change()}>
        <PasswordField
          label="Current password"
          value={current}
          onChange={(event) => {
            setCurrent(event.target.value);
            forget();
          }}
          problem={isTried || isWrong ? currentProblem : null}
        />
        <PasswordField
          isNew
          label="New password"
          value={chosen}
          onChange={(event) => {
            setChosen(event.target.value);
            forget();
          }}
          problem={isTried ? chosenProblem : null}
        />
        <label className="check">
          <input
            type="checkbox"
            checked={endsOthers}
            onChange={(event) => setEndsOthers(event.target.checked)}
          />
          End all other sessions
        </label>
        {!isWrong && refusalOfPassword(failure) === null && (
          <MutationError
            failure={failure}
            onForget={forget}
            onRetry={() => void change()}
          />
        )}
        {isDone && <Alert kind="success" title="Your password is changed" />}
        <Button type="submit" isBusy={isBusy}>
          Change password
        </Button>
      </Form>
    </div>
  );
}
