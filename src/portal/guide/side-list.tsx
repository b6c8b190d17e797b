import type { ReactNode } from "react";
import styles from "./reading.module.css";

/** A list of links next to a text; collapsed above it on a narrow window. */
export function SideList({
  children,
  className,
  title,
}: {
  readonly title: string;
  readonly className: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <nav aria-label={title} className={`${styles.sideList} ${className}`}>
      <details className={styles.sideNarrow}>
        <summary>{title}</summary>
        {children}
      </details>
      <div className={styles.sideWide}>{children}</div>
    </nav>
  );
}
