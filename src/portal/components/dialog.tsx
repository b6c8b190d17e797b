import { useEffect, useId, useRef, type ReactNode } from "react";

/** A dialog over the page while `isOpen`; Escape closes it, and the focus goes back to where it was. */
export function Dialog({
  children,
  isOpen,
  onClose,
  title,
}: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Its buttons too. */
  readonly children: ReactNode;
}) {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) element.current?.showModal();
    else element.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={element}
      className="dialog"
      aria-labelledby={id}
      onClose={onClose}
    >
      {isOpen && (
        <>
          <h2 id={id}>{title}</h2>
          {children}
        </>
      )}
    </dialog>
  );
}
