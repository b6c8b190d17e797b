import { PAGE_PATHS } from "../../../site/page-paths.ts";
import { useConfig } from "../../api/config.ts";
import { withQuery } from "./next-path.ts";
import styles from "./sign-in.module.css";
import type { ReactNode } from "react";
import { useMutation } from "../../api/use-mutation.ts";
import { Button, type ButtonLook } from "../../components/button.tsx";
import { MutationError } from "../mutation-error.tsx";

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

/** Signs in with GitHub, if that is configured, and goes on to `next`. */
export function GithubButton({ next }: { readonly next: string }) {
  const { github } = useConfig();
  if (!github) return null;
  return (
    <div className={styles.otherWay}>
      <p className={styles.or}>or</p>
      <RedirectButton
        path="/auth/sign-in/social"
        body={{
          provider: "github",
          callbackURL: next,
          errorCallbackURL: withQuery(PAGE_PATHS["sign-in"], { next }),
        }}
      >
        Continue with GitHub
      </RedirectButton>
    </div>
  );
}
