import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from "react";
import styles from "./components.module.css";

/** Pixels between a panel and the window's edge. */
const MARGIN = 8;

/** Shows a button that opens a panel below it. */
export function Popup({
  children,
  className,
  label,
}: {
  /** The button's content. */
  readonly label: ReactNode;
  /** Classes of the button. */
  readonly className?: string | undefined;
  /** Renders the open panel. Once it is closed, the button has the focus again. */
  readonly children: (close: () => void) => ReactNode;
}) {
  const { button, frame, isOpen, setOpen } = usePopup();
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  // A layout effect, so that a dialog which is opened from the panel gives the focus back to the button.
  useLayoutEffect(() => {
    if (!isOpen || panel.current === null) return undefined;
    const opener = button.current;
    const { right } = panel.current.getBoundingClientRect();
    const room = document.documentElement.clientWidth - MARGIN;
    // Near the right edge, the panel moves to the left.
    panel.current.style.translate = `${Math.min(0, room - right)}px`;
    const left = panel.current;
    return () => {
      left.style.translate = "";
      const { activeElement } = document;
      if (activeElement === document.body || left.contains(activeElement))
        opener?.focus();
    };
  }, [button, isOpen]);
  return (
    <div ref={frame} className={styles.popup}>
      <button
        ref={button}
        type="button"
        className={className}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      <div ref={panel} id={id} className={styles.popupPanel} hidden={!isOpen}>
        {isOpen && children(() => setOpen(false))}
      </div>
    </div>
  );
}

/** A part that a button opens. */
interface PopupState {
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
export function usePopup(): PopupState {
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
    const onKey = ({ defaultPrevented, key }: KeyboardEvent) => {
      // A list of suggestions in it closes first.
      if (key !== "Escape" || defaultPrevented) return;
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
