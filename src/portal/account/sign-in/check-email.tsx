import type { ReactNode } from "react";
import { AuthPage } from "./auth-page.tsx";
import { ResendMail } from "./resend-mail.tsx";

/** The page after a form that sends an email. */
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
  /** What follows. */
  readonly children?: ReactNode;
}) {
  return (
    <AuthPage isStep title="Check your email" lead={lead}>
      <ResendMail path={path} body={body} />
      {children}
    </AuthPage>
  );
}
