import type { ComponentProps } from "react";
import { Link, type LinkProps } from "../shell/router.tsx";

export interface ButtonLook {
  /** `primary`: at most one on a page. `danger`: for what can't be undone. */
  readonly look?: "primary" | "plain" | "danger" | "quiet";
}

/** A button. While `isBusy` or `isOff` it does nothing, but can still be focused, unlike a `disabled` one. */
export function Button({
  className = "",
  disabled,
  isBusy = false,
  isOff = false,
  look = "plain",
  onClick,
  type = "button",
  ...others
}: ComponentProps<"button"> &
  ButtonLook & { readonly isBusy?: boolean; readonly isOff?: boolean }) {
  return (
    <button
      {...others}
      type={type}
      disabled={disabled}
      aria-disabled={isBusy || isOff || undefined}
      aria-busy={isBusy || undefined}
      className={`button button-${look} ${isOff ? "is-off" : ""} ${className}`}
      onClick={(event) => {
        if (isBusy || isOff) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  className = "",
  look = "plain",
  ...others
}: LinkProps & ButtonLook) {
  return <Link {...others} className={`button button-${look} ${className}`} />;
}
