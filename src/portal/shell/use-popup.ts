import { useEffect, useRef, useState, type RefObject } from "react";

/** A part that a button opens. */
interface Popup {
  /** Of the button and of what it opens. */
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

/**
 * Closes on Escape, which gives the focus back, and once the user presses something else or leaves it with Tab. A page
 * that gives its heading the focus closes nothing.
 */
export function usePopup(): Popup {
  const [isOpen, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const closeUnlessIn = (target: EventTarget | null) => {
      if (!(target instanceof Node && frame.current?.contains(target)))
        setOpen(false);
    };
    const onPress = ({ target }: Event) => closeUnlessIn(target);
    const onKeyUp = ({ key }: KeyboardEvent) => {
      if (key === "Tab") closeUnlessIn(document.activeElement);
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    addEventListener("pointerdown", onPress);
    addEventListener("keyup", onKeyUp);
    addEventListener("keydown", onKey);
    return () => {
      removeEventListener("pointerdown", onPress);
      removeEventListener("keyup", onKeyUp);
      removeEventListener("keydown", onKey);
    };
  }, [isOpen]);
  return { frame, button, isOpen, setOpen };
}
