import { useEffect, type ReactNode, useState } from "react";
import { SignUpClosed } from "../../components/empty-state.tsx";
import { useConfig } from "../../api/config.ts";
import { Page } from "../../shell/page.tsx";
import { Alert } from "../../components/elements.tsx";
import { Button } from "../../components/button.tsx";
import { MutationError } from "../mutation-error.tsx";
import { useMutation } from "../../api/use-mutation.ts";

/** Shows a sign-in or sign-up page, or a notice if sign-up is off. */
export function AuthPage({
  children,
  isStep = false,
  lead,
  title,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  /** True if it replaces another page at the same address; its heading then takes the focus. */
  readonly isStep?: boolean;
  readonly children: ReactNode;
}) {
  useEffect(() => {
    if (isStep) document.querySelector<HTMLElement>("h1")?.focus();
  }, [isStep]);
  const { sign_up: hasSignUp } = useConfig();
  if (!hasSignUp) return <SignUpClosedPage title={title} />;
  return (
    <Page title={title} lead={lead} width="narrow">
      {children}
    </Page>
  );
}

/** Replaces the account pages if sign-up is off. */
export function SignUpClosedPage({ title }: { readonly title: string }) {
  return (
    <Page title={title}>
      <SignUpClosed />
    </Page>
  );
}

/** Follows a form that sends an email. */
export function CheckEmail({
  body,
  children,
  lead,
  path,
}: {
  readonly lead: ReactNode;
  /** The path that sends the email. */
  readonly path: string;
  readonly body: object;
  /** Content below the sentence. */
  readonly children?: ReactNode;
}) {
  return (
    <AuthPage isStep title="Check your email" lead={lead}>
      <ResendMail path={path} body={body} />
      {children}
    </AuthPage>
  );
}

/** The service sends at most three emails a minute to a client, and five an hour to an address. */
const PAUSE_SECONDS = 30;

/** Says where to find the email, and sends it again after a pause. */
function ResendMail({
  body,
  path,
}: {
  /** The path that sends the email. */
  readonly path: string;
  readonly body: object;
}) {
  const { demo } = useConfig();
  const mutation = useMutation();
  const [left, setLeft] = useState(PAUSE_SECONDS);
  const [isSent, setSent] = useState(false);
  useEffect(() => {
    if (left === 0) return undefined;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);

  async function send(): Promise<void> {
    setSent(false);
    const answer = await mutation.run(path, { body });
    if (answer === null) return;
    setSent(true);
    setLeft(PAUSE_SECONDS);
  }

  return (
    <>
      {demo && (
        <p>
          This is a demo: without a mail server, its emails appear in the
          terminal where it was started.
        </p>
      )}
      <p className="muted">
        Nothing after a minute or two? Check your spam folder, or send it again.
        We send an address at most five emails an hour.
      </p>
      <MutationError of={mutation} onRetry={() => void send()} />
      {isSent && <Alert kind="success" title="Email sent" />}
      <Button
        isInactive={left > 0}
        isBusy={mutation.isBusy}
        onClick={() => void send()}
      >
        {left > 0 ? `Send again in ${left} s` : "Send again"}
      </Button>
    </>
  );
}
