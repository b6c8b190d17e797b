import { Button } from "../../components/button.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { MutationError } from "../mutation-error.tsx";
import { keyName } from "../../format.ts";
import type { KeyInfo } from "../../../contract/account.ts";
import { codeOf, useMutation } from "../../api/use-mutation.ts";

/** The key was already revoked: elsewhere, or by a try whose response was lost. */
const ENDED: ReadonlySet<string | null> = new Set([
  "key_ended",
  "key_not_found",
]);

/** Revokes a key after the user confirms it. */
export function RevokeDialog({
  apiKey,
  onClose,
  onRevoked,
}: {
  readonly apiKey: KeyInfo;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}) {
  const mutation = useMutation();

  async function revoke(): Promise<void> {
    const path = `/account/keys/${apiKey.id}`;
    const outcome = await mutation.attempt(path, { method: "DELETE" });
    if (outcome?.ok === true) onRevoked();
    if (outcome?.ok === false && ENDED.has(codeOf(outcome.failure)))
      onRevoked();
  }

  return (
    <Dialog isOpen title={`Revoke ${keyName(apiKey)}?`} onClose={onClose}>
      <p>
        <code>
          {apiKey.prefix}…{apiKey.last_four}
        </code>{" "}
        stops working within two seconds. This can’t be undone.
      </p>
      <MutationError of={mutation} onRetry={() => void revoke()} />
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="danger"
          isBusy={mutation.isBusy}
          onClick={() => void revoke()}
        >
          Revoke key
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
