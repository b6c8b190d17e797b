import type { ReactNode } from "react";
import styles from "./reading.module.css";

/** Lists links next to a text; collapsed above it on a narrow window. */
export function SideList({
  children,
  className,
  head,
  title,
}: {
  readonly title: string;
  readonly className: string | undefined;
  /** Shown above the list, collapsed or not. */
  readonly head?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <nav aria-label={title} className={`${styles.sideList} ${className}`}>
      {head}
      <details className={styles.sideNarrow}>
        <summary>{title}</summary>
        {children}
      </details>
      <div className={styles.sideWide}>{children}</div>
    </nav>
  );
}
