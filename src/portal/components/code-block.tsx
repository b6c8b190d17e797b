import { CopyButton } from "./copy-button.tsx";
import styles from "./components.module.css";

/** Code to read and to copy. */
export function CodeBlock({
  code,
  label = "Code",
}: {
  readonly code: string;
  readonly label?: string;
}) {
  return (
    <div className={styles.codeBlock}>
      {/* It scrolls sideways, by keyboard too. */}
      <pre role="group" aria-label={label} tabIndex={0}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} />
    </div>
  );
}
