import { useRef, useState, type ReactNode } from "react";
import type { ApiSuccess } from "../../api/api.ts";
import type { NewKey, KeyInfo } from "../../../contract/account.ts";
import {
  isUncertain,
  useMutation,
  type Mutation,
} from "../../api/use-mutation.ts";
import { Alert } from "../../components/elements.tsx";
import { Button } from "../../components/button.tsx";
import { DialogButtons } from "../../components/dialog.tsx";
import { Form } from "../form.tsx";
import { MutationError } from "../mutation-error.tsx";

/** Creates a key, new or by rotation. */
export interface KeyCreation extends Pick<
  Mutation,
  "failure" | "clearFailure" | "isBusy"
> {
  /** True if the key may have been created although the response was lost. */
  readonly mayExist: boolean;
  /** The key that was created but whose response was lost, so no one has seen its secret. */
  readonly lost: KeyInfo | null;
  readonly create: <M>(
    path: string,
    body: object,
  ) => Promise<ApiSuccess<NewKey, M> | null>;
}

/**
 * Creates a key, never a second one by accident: if a response was lost, the next try first looks for a key that isn't
 * among `existingKeys`. Null loads them before the first try.
 */
export function useCreateKey(
  existingKeys: readonly KeyInfo[] | null,
): KeyCreation {
  const { attempt, failure, clearFailure, isBusy, run } = useMutation();
  const before = useRef(existingKeys);
  const [mayExist, setMayExist] = useState(false);
  const [lost, setLost] = useState<KeyInfo | null>(null);

  async function create<M>(
    path: string,
    body: object,
  ): Promise<ApiSuccess<NewKey, M> | null> {
    if (lost !== null) return null;
    if (mayExist || before.current === null) {
      const listed = await run<KeyInfo[]>("/account/keys", { method: "GET" });
      if (listed === null) return null;
      setMayExist(false);
      const seen = new Set(
        (before.current ??= listed.data).map(({ id }) => id),
      );
      const unseen = listed.data.find(
        ({ id, state }) => state === "active" && !seen.has(id),
      );
      if (unseen !== undefined) {
        setLost(unseen);
        return null;
      }
    }
    const outcome = await attempt<NewKey, M>(path, { body });
    if (outcome?.ok === true) {
      before.current = null;
      return outcome.answer;
    }
    if (outcome?.ok === false && isUncertain(outcome.failure))
      setMayExist(true);
    return null;
  }

  return { failure, clearFailure, isBusy, mayExist, lost, create };
}

/** Shows the form of a dialog that creates a key. If the key's secret was lost, the dialog can only be closed. */
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

/** Says why no new key is shown: creating it failed, may have failed, or worked but its secret was lost. */
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
