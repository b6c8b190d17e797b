import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { IS_PHONE, useMedia } from "../use-media.ts";
import styles from "./question.module.css";

const PANEL = "filters";

/** The button of the panel. */
export function FiltersButton({
  isOpen,
  onToggle,
}: {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) {
  const isPhone = useMedia(IS_PHONE);
  return (
    <Button
      onClick={onToggle}
      {...(isPhone
        ? { "aria-haspopup": "dialog" }
        : { "aria-expanded": isOpen, "aria-controls": PANEL })}
    >
      <span className={styles.word}>Filters</span>
      <svg className={styles.icon} viewBox="0 0 20 20" aria-hidden="true">
        <path d="M3 6h9m4 0h1M3 14h1m4 0h9M14 4v4M6 12v4" />
      </svg>
    </Button>
  );
}

/** The form of all filters: below its button, or on phones in a sheet. */
export function FiltersPanel({
  children,
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const isPhone = useMedia(IS_PHONE);
  return isPhone ? (
    <Dialog title="Filters" isSheet isOpen={isOpen} onClose={onClose}>
      {children}
    </Dialog>
  ) : (
    <div id={PANEL} className={styles.panel} hidden={!isOpen}>
      {isOpen && children}
    </div>
  );
}
