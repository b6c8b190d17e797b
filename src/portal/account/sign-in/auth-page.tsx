import { useEffect, type ReactNode } from "react";
import { SignUpClosed } from "../../components/empty-state.tsx";
import { useConfig } from "../../api/config.ts";
import { Page } from "../../shell/page.tsx";

/** A page of the way in; where people have no accounts, it says so. */
export function AuthPage({
  children,
  isStep = false,
  lead,
  title,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  /** Whether it comes in the place of another one at the same address: its heading then takes the focus. */
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

/** What stands on a page about accounts where people have none. */
export function SignUpClosedPage({ title }: { readonly title: string }) {
  return (
    <Page title={title}>
      <SignUpClosed />
    </Page>
  );
}
