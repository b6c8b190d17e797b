import { useId, type ComponentProps, type ReactNode } from "react";
import styles from "./components.module.css";

export interface FieldTexts {
  readonly label: string;
  /** A sentence below the label. */
  readonly hint?: ReactNode;
  /** The value's problem, if it has one. */
  readonly problem?: string | null | undefined;
  readonly isLabelHidden?: boolean;
}

/** Shows a text field with its label, hint and problem. */
export function Field({
  hint,
  isLabelHidden = false,
  label,
  problem,
  ...input
}: Omit<ComponentProps<"input">, "id"> & FieldTexts) {
  const id = useId();
  return (
    <FieldFrame {...{ hint, id, isLabelHidden, label, problem }}>
      <input {...input} {...described(id, hint, problem)} className="input" />
    </FieldFrame>
  );
}

/** Shows a select with its label, hint and problem. */
export function Select({
  hint,
  isLabelHidden = false,
  label,
  options,
  problem,
  ...select
}: Omit<ComponentProps<"select">, "id"> &
  FieldTexts & {
    readonly options: readonly {
      readonly value: string;
      readonly text: string;
    }[];
  }) {
  const id = useId();
  return (
    <FieldFrame {...{ hint, id, isLabelHidden, label, problem }}>
      <select {...select} {...described(id, hint, problem)} className="input">
        {options.map(({ text, value }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

export function Checkbox({
  isChecked,
  label,
  onChange,
}: {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}) {
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        checked={isChecked}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  );
}

/** Shows the label, hint and problem around the control with this id. */
export function FieldFrame({
  children,
  hint,
  id,
  isLabelHidden = false,
  label,
  problem = null,
}: FieldTexts & { readonly id: string; readonly children: ReactNode }) {
  return (
    <div className="field">
      <label
        htmlFor={id}
        className={isLabelHidden ? "visually-hidden" : undefined}
      >
        {label}
      </label>
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children}
      {problem !== null && (
        <p className="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

/** Connects a control with its hint and problem, by attributes. */
export function described(
  id: string,
  hint: ReactNode,
  problem: string | null = null,
) {
  const ids = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(problem === null ? [] : [`${id}-problem`]),
  ];
  return {
    id,
    "aria-describedby": ids.length === 0 ? undefined : ids.join(" "),
    "aria-invalid": problem === null ? undefined : true,
  } as const;
}
