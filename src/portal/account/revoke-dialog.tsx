import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { ActFailure } from "./act-failure.tsx";
import { nameOfKey, type OwnKey } from "./own-account.ts";
import { useAct } from "./use-act.ts";

/** Ends a key for good, once that is confirmed. */
export function RevokeDialog({
  facts,
  onClose,
  onRevoked,
}: {
  readonly facts: OwnKey;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}) {
  const { failure, forget, isBusy, run } = useAct();

  async function revoke(): Promise<void> {
    const path = `/account/keys/${facts.id}`;
    const answer = await run(path, { method: "DELETE" });
    if (answer !== null) onRevoked();
  }

  return (
    <Dialog isOpen title={`Revoke ${nameOfKey(facts)}?`} onClose={onClose}>
      <p>
        <code>
          {facts.prefix}…{facts.last_four}
        </code>{" "}
        is refused everywhere within five seconds. This cannot be undone.
      </p>
      <ActFailure
        failure={failure}
        onForget={forget}
        onRetry={() => void revoke()}
      />
      <div className="dialog-buttons">
        <Button onClick={onClose}>Keep it</Button>
        <Button look="danger" isBusy={isBusy} onClick={() => void revoke()}>
          Revoke key
        </Button>
      </div>
    </Dialog>
  );
}
