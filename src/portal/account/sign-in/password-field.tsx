import { useState, type ComponentProps } from "react";
import {
  MIN_PASSWORD_LENGTH,
  MAX_PASSWORD_LENGTH,
} from "../../../contract/credentials.ts";
import type { ApiFailure } from "../../api/api.ts";
import { Checkbox, Field } from "../../components/field.tsx";
import type { FormState } from "../form.tsx";
import styles from "./sign-in.module.css";

/** Asks for a password, and can show its text. */
export function PasswordField({
  autoComplete = "current-password",
  ...field
}: Omit<ComponentProps<typeof Field>, "type">) {
  const [isShown, setShown] = useState(false);
  return (
    <div className={styles.passwordField}>
      <Field
        {...field}
        type={isShown ? "text" : "password"}
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <Checkbox label="Show password" isChecked={isShown} onChange={setShown} />
    </div>
  );
}

/** Asks for a new password, and shows its problem after the first try. */
export function NewPasswordField({
  form,
  onText,
  value,
  ...field
}: Pick<ComponentProps<typeof Field>, "label" | "name"> & {
  readonly form: FormState;
  readonly value: string;
  readonly onText: (password: string) => void;
}) {
  return (
    <PasswordField
      {...field}
      autoComplete="new-password"
      hint={`At least ${MIN_PASSWORD_LENGTH} characters. A few words work well. Don’t use your email address or a common password.`}
      value={value}
      onChange={form.typed(onText)}
      problem={form.isTried ? problemOfNewPassword(value, form.failure) : null}
    />
  );
}

const REFUSALS: ReadonlySet<string> = new Set([
  "PASSWORD_TOO_COMMON",
  "PASSWORD_FROM_ADDRESS",
]);

/** Returns the service's reason for refusing a new password; null if it failed for another reason. */
export function refusalOfPassword(failure: ApiFailure | null): string | null {
  return failure !== null &&
    "error" in failure &&
    REFUSALS.has(failure.error.code)
    ? failure.error.message
    : null;
}

/** Returns the problem of a new password, or null. The service checks more: its refusal is `failure`. */
export function problemOfNewPassword(
  password: string,
  failure: ApiFailure | null = null,
): string | null {
  const refusal = refusalOfPassword(failure);
  if (refusal !== null) return refusal;
  if (password.length < MIN_PASSWORD_LENGTH)
    return `Use at least ${MIN_PASSWORD_LENGTH} characters; this has ${password.length}.`;
  return password.length > MAX_PASSWORD_LENGTH
    ? `Use at most ${MAX_PASSWORD_LENGTH} characters.`
    : null;
}
