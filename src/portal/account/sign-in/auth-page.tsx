import "../../styles/account.css";
import { useEffect, type ReactNode } from "react";
import { SignUpClosed } from "../../components/closed.tsx";
import { useFacts } from "../../api/config.ts";
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
  const { sign_up: hasPeople } = useFacts();
  if (!hasPeople) return <NoPeople title={title} />;
  return (
    <Page title={title} lead={lead} width="narrow">
      {children}
    </Page>
  );
}

/** What stands on a page about accounts where people have none. */
export function NoPeople({ title }: { readonly title: string }) {
  return (
    <Page title={title}>
      <SignUpClosed />
    </Page>
  );
}
