import type { ReactNode } from "react";
import { guidePage } from "../../site/guide-pages.ts";
import { useConfig } from "../api/config.ts";
import { Operator } from "./operator.tsx";
import { Link } from "../shell/router.tsx";
import styles from "./components.module.css";

/** Replaces a list that is empty. */
export function EmptyState({
  children,
  title,
}: {
  readonly title: string;
  /** A sentence about what the user can do. */
  readonly children?: ReactNode;
}) {
  return (
    <div className={styles.emptyState}>
      <p className={styles.emptyTitle}>{title}</p>
      {children !== undefined && <p>{children}</p>}
    </div>
  );
}

/** Replaces what needs data, until the first import is complete. The page notices that by itself. */
export function NoData() {
  const { guide } = useConfig();
  return (
    <div className={styles.emptyState} role="status">
      <p className={styles.emptyTitle}>No provider data yet</p>
      <p>
        The first import is still running, or hasn’t been started. This page
        shows the data as soon as it is complete.
      </p>
      <p>
        For the operator: <code>provider-directory update</code> downloads and
        imports the registry’s files, and <code>provider-directory import</code>{" "}
        imports a file that you have. The service needs no restart.
        {guidePage("importing", guide) !== undefined && (
          <>
            {" "}
            See <Link href="/guide/importing">importing</Link>.
          </>
        )}
      </p>
    </div>
  );
}

/** Says that a part of the service is closed: whom visitors can ask, and how the operator opens it. */
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
  const { guide } = useConfig();
  return (
    <div className={styles.emptyState}>
      <p className={styles.emptyTitle}>{title}</p>
      <p>{children}</p>
      <p>
        For the operator: {operator}
        {guidePage("portal", guide) !== undefined && (
          <>
            {" "}
            See{" "}
            <Link href="/guide/portal#what-is-closed-by-default">settings</Link>
            .
          </>
        )}
      </p>
    </div>
  );
}

/** Replaces the explorer if only signed-in users may use it and no one can sign in. */
export function ExplorerClosed() {
  return (
    <Closed
      title="The explorer is closed"
      operator={
        <>
          set <code>EXPLORER=open</code> to let every visitor use it, or set up
          email with <code>SMTP_URL</code> so that users can sign in.
        </>
      }
    >
      Ask <Operator /> to open it, or for an API key.
    </Closed>
  );
}

/** Replaces accounts if sign-up is off. */
export function SignUpClosed() {
  return (
    <Closed
      title="Sign-up is closed"
      operator={
        <>
          set <code>SMTP_URL</code>, <code>MAIL_FROM</code>, and{" "}
          <code>PUBLIC_URL</code> to open it, or create keys with{" "}
          <code>keys create</code>.
        </>
      }
    >
      This service has no user accounts. Ask <Operator /> for an API key.
    </Closed>
  );
}
