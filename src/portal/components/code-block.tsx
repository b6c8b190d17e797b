import { CopyButton } from "./copy-button.tsx";
import styles from "./components.module.css";

export function CodeBlock({
  code,
  label = "Code",
}: {
  readonly code: string;
  readonly label?: string;
}) {
  return (
    <div className={styles.codeBlock}>
      {/* Focusable, so that the keyboard can scroll it sideways. */}
      <pre role="group" aria-label={label} tabIndex={0}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} />
    </div>
  );
}
