import type { ReactNode } from "react";
import { Alert } from "../../components/alert.tsx";
import { Button } from "../../components/button.tsx";
import { DialogButtons } from "../../components/dialog.tsx";
import { Form } from "../form.tsx";
import { MutationError } from "../mutation-error.tsx";
import type { KeyCreation } from "./use-create-key.ts";

/** The form of a dialog that creates a key. If the key's secret was lost, the dialog can only be closed. */
export function CreateKeyForm({
  children,
  isRefusalShown = false,
  creation,
  onClose,
  onSubmit,
  submitText,
}: {
  readonly creation: KeyCreation;
  readonly submitText: string;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  /** True if a field already shows why no key was created. */
  readonly isRefusalShown?: boolean;
  /** The form's fields. */
  readonly children: ReactNode;
}) {
  const isLost = creation.lost !== null;
  return (
    <Form onSubmit={onSubmit}>
      {children}
      {!isRefusalShown && <KeyOutcome creation={creation} onRetry={onSubmit} />}
      <DialogButtons>
        <Button onClick={onClose}>{isLost ? "Close" : "Cancel"}</Button>
        {!isLost && (
          <Button type="submit" look="primary" isBusy={creation.isBusy}>
            {submitText}
          </Button>
        )}
      </DialogButtons>
    </Form>
  );
}

/** Why no new key is shown: creating it failed, may have failed, or worked but its secret was lost. */
export function KeyOutcome({
  creation,
  onRetry,
}: {
  readonly creation: KeyCreation;
  readonly onRetry: () => void;
}) {
  const { mayExist, lost } = creation;
  if (lost !== null)
    return (
      <Alert
        kind="warning"
        title="The key was created, but the response was lost"
      >
        <p>
          <code>
            {lost.prefix}…{lost.last_four}
          </code>{" "}
          is in your list of keys, but it can’t be shown again. Rotate it and
          have the old key expire immediately to get a key you can copy.
        </p>
      </Alert>
    );
  return (
    <>
      <MutationError of={creation} onRetry={onRetry} />
      {mayExist && (
        <p>
          The key may have been created anyway. Trying again checks first and
          doesn’t create a second one.
        </p>
      )}
    </>
  );
}
