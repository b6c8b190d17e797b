import type { ReactNode } from "react";

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
    <div className="empty-state">
      <p className="empty-title">{title}</p>
      {children !== undefined && <p>{children}</p>}
    </div>
  );
}
