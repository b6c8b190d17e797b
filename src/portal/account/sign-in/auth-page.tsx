import { useEffect, type ReactNode } from "react";
import { SignUpClosed } from "../../components/empty-state.tsx";
import { useConfig } from "../../api/config.ts";
import { Page } from "../../shell/page.tsx";

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
