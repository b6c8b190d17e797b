import { Alert } from "../../components/alert.tsx";
import { MutationError } from "../mutation-error.tsx";
import type { MakeKey } from "./use-make-key.ts";

/** Why no key is shown after one was to be made: it was not, that is not known, or it was lost on its way. */
export function KeyOutcome({
  making: { failure, forget, isOpen, lost },
  onRetry,
}: {
  readonly making: MakeKey;
  readonly onRetry: () => void;
}) {
  if (lost !== null)
    return (
      <Alert kind="warning" title="A key was made, but it did not arrive">
        <p>
          <code>
            {lost.prefix}…{lost.last_four}
          </code>{" "}
          is in the list of your keys, but cannot be shown again. Rotate it so
          that it ends at once: the new key is shown.
        </p>
      </Alert>
    );
  return (
    <>
      <MutationError failure={failure} onForget={forget} onRetry={onRetry} />
      {isOpen && (
        <p>
          The key may have been made all the same. Another try looks first, and
          makes no second one.
        </p>
      )}
    </>
  );
}
