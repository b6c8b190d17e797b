import type { ReactNode } from "react";
import { useMutation } from "../api/use-mutation.ts";
import { Button, type ButtonLook } from "../components/button.tsx";
import { MutationError } from "./mutation-error.tsx";

/** Requests an address on another host, such as a payment page, and goes there. */
export function RedirectButton({
  body,
  children,
  path,
  ...look
}: ButtonLook & {
  /** The path that returns the address. */
  readonly path: string;
  readonly body: object;
  readonly children: ReactNode;
}) {
  const mutation = useMutation();

  async function leave(): Promise<void> {
    const answer = await mutation.run<{ readonly url: string }>(path, { body });
    if (answer !== null) location.assign(answer.data.url);
  }

  return (
    <>
      <MutationError of={mutation} onRetry={() => void leave()} />
      <Button {...look} isBusy={mutation.isBusy} onClick={() => void leave()}>
        {children}
      </Button>
    </>
  );
}
