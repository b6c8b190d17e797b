import type { ReactNode } from "react";

/** A list of links beside a text; where the window is narrow, folded above it. */
export function SideList({
  children,
  className,
  title,
}: {
  readonly title: string;
  readonly className: string;
  /** Lists of links. */
  readonly children: ReactNode;
}) {
  return (
    <nav aria-label={title} className={`side-list ${className}`}>
      <details className="side-narrow">
        <summary>{title}</summary>
        {children}
      </details>
      <div className="side-wide">{children}</div>
    </nav>
  );
}
