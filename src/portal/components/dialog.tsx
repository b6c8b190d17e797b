import { useId, useLayoutEffect, useRef, type ReactNode } from "react";
import { Button } from "./button.tsx";
import styles from "./components.module.css";

/** Opens a modal dialog. Escape closes it, and the focus goes back to where it was. */
export function Dialog({
  children,
  isOpen,
  isSheet = false,
  onClose,
  title,
}: {
  readonly title: string;
  /** True if it is as wide as the window, at its bottom, with a button that closes it. */
  readonly isSheet?: boolean;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Its content and buttons. */
  readonly children: ReactNode;
}) {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  // A layout effect, because only a dialog that is closed before it is removed gives the focus back.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (!isOpen || dialog === null) return undefined;
    dialog.showModal();
    return () => dialog.close();
  }, [isOpen]);
  return (
    <dialog
      ref={element}
      className={isSheet ? `${styles.dialog} ${styles.sheet}` : styles.dialog}
      aria-labelledby={id}
      onClose={onClose}
    >
      {isOpen && (
        <>
          <h2 id={id}>{title}</h2>
          {isSheet && (
            <Button
              className={styles.sheetClose}
              look="quiet"
              onClick={onClose}
            >
              Close
            </Button>
          )}
          {children}
        </>
      )}
    </dialog>
  );
}

/** Shows the buttons at the end of a dialog: the one that acts is the last. */
export function DialogButtons({ children }: { readonly children: ReactNode }) {
  return <div className={styles.dialogButtons}>{children}</div>;
}
