import { useState } from "react";
import { PAGE_PATHS } from "../../../site/page-paths.ts";
import { Alert } from "../../components/elements.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { Operator } from "../../components/operator.tsx";
import { useConfig } from "../../api/config.ts";
import { leaveAccount } from "../../api/session-broadcast.ts";
import { MutationError } from "../mutation-error.tsx";
import { Form, useForm, type FormState } from "../form.tsx";
import { withQuery } from "../sign-in/next-path.ts";
import { PasswordField } from "../sign-in/fields.tsx";
import { codeOf, isUncertain } from "../../api/use-mutation.ts";

export function DeleteAccount({
  hasPassword,
}: {
  readonly hasPassword: boolean;
}) {
  const { billing } = useConfig();
  const [isOpen, setOpen] = useState(false);
  return (
    <section aria-labelledby="delete-account">
      <h2 id="delete-account">Delete account</h2>
      <ul>
        <li>All of your API keys stop working within two seconds.</li>
        {billing && (
          <li>Your subscription ends immediately, without a refund.</li>
        )}
        <li>
          Your personal data is deleted. Your requests remain only in a total
          for all deleted accounts.
        </li>
        <li>
          A hash of your email address is kept with this month’s usage until the
          month ends and, if your account is suspended, for a year. Both apply
          if you sign up again.
        </li>
        <li>This can’t be undone.</li>
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
  /** True if a try may have worked although its response was lost. */
  const [mayBeDone, setMayBeDone] = useState(false);
  const form = useForm({
    isComplete: () => !hasPassword || password !== "",
    request: () => ({
      path: "/account",
      method: "DELETE",
      body: hasPassword ? { password } : {},
    }),
    onDone: () =>
      leaveAccount(withQuery(PAGE_PATHS["sign-in"], { notice: "deleted" })),
    onFailure: (failure) => {
      if (isUncertain(failure)) setMayBeDone(true);
    },
  });
  const isWrong = codeOf(form.failure) === "wrong_password" && hasPassword;
  const problem = isWrong
    ? "Wrong password."
    : form.isTried && password === ""
      ? "Enter your password."
      : null;

  return (
    <Form onSubmit={form.submit}>
      {hasPassword ? (
        <PasswordField
          label="Your password"
          value={password}
          onChange={form.typed(setPassword)}
          problem={problem}
        />
      ) : (
        <p>
          You have no password, so you must have signed in within the last ten
          minutes.
        </p>
      )}
      {!isWrong && <Obstacle form={form} mayBeDone={mayBeDone} />}
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="danger" isBusy={form.isBusy}>
          Delete permanently
        </Button>
      </DialogButtons>
    </Form>
  );
}

/** Says why the account wasn't deleted, if it failed. */
function Obstacle({
  form,
  mayBeDone,
}: {
  readonly form: FormState;
  readonly mayBeDone: boolean;
}) {
  const { failure } = form;
  if (mayBeDone && failure?.kind === "signed_out")
    return (
      <Alert kind="warning" title="Your account was probably deleted">
        <p>
          The response to your first try was lost, and you’re no longer signed
          in. If you can still sign in, the account wasn’t deleted.
        </p>
      </Alert>
    );
  if (codeOf(failure) !== "payments_not_ended")
    return <MutationError of={form} onRetry={form.submit} />;
  return (
    <Alert kind="problem" title="Nothing was deleted">
      <p>
        You’ve paid here before, and this service can no longer cancel your
        payments. Ask <Operator /> to cancel them and delete your account.
      </p>
    </Alert>
  );
}
