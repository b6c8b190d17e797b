import type { ReactNode } from "react";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { Link } from "../shell/router.tsx";
import styles from "./components.module.css";

/** What stands where there is nothing to show. */
export function EmptyState({
  children,
  title,
}: {
  readonly title: string;
  /** What to do about it. */
  readonly children?: ReactNode;
}) {
  return (
    <div className={styles.emptyState}>
      <p className={styles.emptyTitle}>{title}</p>
      {children !== undefined && <p>{children}</p>}
    </div>
  );
}

/** What stands where the operator has something closed: for visitors whom to ask, for the operator how to open it. */
function Closed({
  children,
  operator,
  title,
}: {
  readonly title: string;
  /** For visitors. */
  readonly children: ReactNode;
  readonly operator: ReactNode;
}) {
  return (
    <div className={styles.emptyState}>
      <p className={styles.emptyTitle}>{title}</p>
      <p>{children}</p>
      <p>For the operator: {operator}</p>
    </div>
  );
}

/** The explorer, where only people who are signed in may use it and no one can sign in. */
export function ExplorerClosed() {
  return (
    <Closed
      title="The explorer is closed here"
      operator={
        <>
          <code>EXPLORER=open</code> opens it to every visitor; with{" "}
          <code>SMTP_URL</code> people can sign in to use it (
          <Link href="/guide/portal#what-is-closed-at-first">settings</Link>).
        </>
      }
    >
      This service answers programs that have an API key. Ask its operator for a
      key, or to open the explorer. The{" "}
      <Link href={PAGE_PATHS.guide}>guide</Link> and the{" "}
      <Link href={PAGE_PATHS.reference}>API reference</Link> are open.
    </Closed>
  );
}

/** Accounts, where people can neither sign up nor in. */
export function SignUpClosed() {
  return (
    <Closed
      title="Sign-up is closed here"
      operator={
        <>
          <code>SMTP_URL</code>, <code>MAIL_FROM</code> and{" "}
          <code>PUBLIC_URL</code> open it; <code>keys create</code> makes a key
          without it (
          <Link href="/guide/portal#what-is-closed-at-first">settings</Link>).
        </>
      }
    >
      People have no accounts of their own at this service. Ask its operator for
      an API key.
    </Closed>
  );
}
