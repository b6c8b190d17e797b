import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import styles from "./sign-in.module.css";

/** Sends a sign-in or sign-up form. */
export function SubmitButton({
  children,
  isBusy,
}: {
  readonly children: ReactNode;
  readonly isBusy: boolean;
}) {
  return (
    <Button
      className={styles.wide}
      type="submit"
      look="primary"
      isBusy={isBusy}
    >
      {children}
    </Button>
  );
}
