import styles from "./components.module.css";
/** Shown only after a moment, so that fast answers don't flicker. */
export function Spinner({ label }: { readonly label: string }) {
  return (
    <div className={styles.spinner} role="status">
      <span className="visually-hidden">{label}</span>
    </div>
  );
}

/** Placeholder lines for content that is loading. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}
