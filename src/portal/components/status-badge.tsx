import type { Status } from "../../contract/provider.ts";

export function StatusBadge({ status }: { readonly status: Status }) {
  return (
    <span className={`status status-${status}`}>
      {status === "active" ? "Active" : "Deactivated"}
    </span>
  );
}
