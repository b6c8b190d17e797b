import styles from "./components.module.css";
/** Something is on its way; shown only after a moment, so that fast answers do not flicker. */
export function Spinner({ label }: { readonly label: string }) {
  return (
    <div className={styles.spinner} role="status">
      <span className="visually-hidden">{label}</span>
    </div>
  );
}

/** Lines in the place of a text that is on its way. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}
