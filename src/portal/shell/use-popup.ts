import { useEffect, useRef, useState, type RefObject } from "react";

/** A part that a button opens. */
interface Popup {
  /** Of the button and of what it opens. */
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

/** Closes on Escape, which gives the focus back, and once the user presses or focuses something else. */
export function usePopup(): Popup {
  const [isOpen, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPress = ({ target }: Event) => {
      if (!(target instanceof Node && frame.current?.contains(target)))
        setOpen(false);
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    addEventListener("pointerdown", onPress);
    addEventListener("focusin", onPress);
    addEventListener("keydown", onKey);
    return () => {
      removeEventListener("pointerdown", onPress);
      removeEventListener("focusin", onPress);
      removeEventListener("keydown", onKey);
    };
  }, [isOpen]);
  return { frame, button, isOpen, setOpen };
}
