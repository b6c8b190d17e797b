import { useState } from "react";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { Alert } from "../components/alert.tsx";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { useFacts } from "../facts.ts";
import { leaveAccount } from "../other-pages.ts";
import { ActFailure } from "./act-failure.tsx";
import { Form, showFirstProblem } from "./form.tsx";
import { pathWith } from "./next-path.ts";
import { PasswordField } from "./password-field.tsx";
import { codeOf, useAct } from "./use-act.ts";

export function DeleteAccount({
  hasPassword,
}: {
  readonly hasPassword: boolean;
}) {
  const { billing } = useFacts();
  const [isOpen, setOpen] = useState(false);
  return (
    <section aria-labelledby="delete-account">
      <h2 id="delete-account">Delete the account</h2>
      <ul>
        <li>All of its keys are refused within five seconds.</li>
        {billing && <li>What you pay ends at once, without a refund.</li>}
        <li>
          What tells of you is removed. Of your requests only sums over all
          deleted accounts stay.
        </li>
        <li>It cannot be undone.</li>
      </ul>
      <Button look="danger" onClick={() => setOpen(true)}>
        Delete account…
      </Button>
      <Dialog
        title="Delete your account?"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <DeleteForm hasPassword={hasPassword} onClose={() => setOpen(false)} />
      </Dialog>
    </section>
  );
}

function DeleteForm({
  hasPassword,
  onClose,
}: {
  readonly hasPassword: boolean;
  readonly onClose: () => void;
}) {
  const [password, setPassword] = useState("");
  const [isTried, setTried] = useState(false);
  const { failure, forget, isBusy, run } = useAct();
  const code = codeOf(failure);
  const isWrong = code === "wrong_password" && hasPassword;
  const problem = isWrong
    ? "This is not your password."
    : isTried && password === ""
      ? "Give your password."
      : null;

  async function remove(): Promise<void> {
    setTried(true);
    if (hasPassword && password === "") {
      showFirstProblem();
      return;
    }
    const answer = await run("/account", {
      method: "DELETE",
      body: hasPassword ? { password } : {},
    });
    if (answer === null) showFirstProblem();
    else leaveAccount(pathWith(PAGE_PATHS["sign-in"], { notice: "deleted" }));
  }

  return (
    <Form onSubmit={() => void remove()}>
      {hasPassword ? (
        <PasswordField
          label="Your password"
          value={password}
          onChange={(event) => {
            setPassword(event.target.value);
            forget();
          }}
          problem={problem}
        />
      ) : (
        <p>
          You have no password: for this you must have signed in within the last
          ten minutes.
        </p>
      )}
      {code === "payments_not_ended" ? (
        <Alert kind="problem" title="Nothing was deleted">
          <p>
            You have paid here, and this service can no longer end what you may
            still pay. Ask whoever runs it to delete the account, and with it
            the payments.
          </p>
        </Alert>
      ) : (
        !isWrong && (
          <ActFailure
            failure={failure}
            onForget={forget}
            onRetry={() => void remove()}
          />
        )
      )}
      <div className="dialog-buttons">
        <Button onClick={onClose}>Keep it</Button>
        <Button type="submit" look="danger" isBusy={isBusy}>
          Delete for good
        </Button>
      </div>
    </Form>
  );
}
