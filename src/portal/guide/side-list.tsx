import type { ReactNode } from "react";
import styles from "./reading.module.css";

/** A list of links beside a text; where the window is narrow, folded above it. */
export function SideList({
  children,
  className,
  title,
}: {
  readonly title: string;
  readonly className: string | undefined;
  /** Lists of links. */
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
