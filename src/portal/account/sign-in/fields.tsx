import { useState, type ComponentProps } from "react";
import {
  MIN_PASSWORD_LENGTH,
  MAX_PASSWORD_LENGTH,
} from "../../../contract/credentials.ts";
import type { ApiFailure } from "../../api/api.ts";
import { Checkbox, Field } from "../../components/field.tsx";
import { type FormState, Form, useForm, SubmitButton } from "../form.tsx";
import styles from "./sign-in.module.css";
import { codeOf } from "../../api/use-mutation.ts";
import { MutationError } from "../mutation-error.tsx";

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

const REFUSED_PASSWORD: ReadonlySet<string> = new Set([
  "PASSWORD_TOO_COMMON",
  "PASSWORD_FROM_ADDRESS",
]);

/** Returns the service's reason for refusing a new password; null if it failed for another reason. */
export function refusalOfPassword(failure: ApiFailure | null): string | null {
  return failure !== null &&
    "error" in failure &&
    REFUSED_PASSWORD.has(failure.error.code)
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

const NO_ADDRESS = "Enter a valid email address.";
const REFUSED_ADDRESS: ReadonlySet<string | null> = new Set([
  "INVALID_EMAIL",
  "VALIDATION_ERROR",
  "invalid_body",
]);

export function EmailField({
  form,
  hint,
  label = "Email address",
  onText,
  value,
}: {
  readonly form: FormState;
  readonly hint?: string | undefined;
  readonly label?: string;
  readonly value: string;
  readonly onText: (email: string) => void;
}) {
  return (
    <Field
      hint={hint}
      value={value}
      problem={form.isTried ? problemOfEmail(value, form.failure) : null}
      label={label}
      name="email"
      type="email"
      autoComplete="username"
      required
      onChange={form.typed(onText)}
    />
  );
}

/** Returns the problem of an email address, or null. The service checks more: its refusal is `failure`. */
export function problemOfEmail(
  email: string,
  failure: ApiFailure | null = null,
): string | null {
  if (isEmailRefused(failure)) return NO_ADDRESS;
  if (email.trim() === "") return "Enter your email address.";
  return /^\S+@\S+$/.test(email.trim()) ? null : NO_ADDRESS;
}

/** True if the service refused the email address. */
export function isEmailRefused(failure: ApiFailure | null): boolean {
  return REFUSED_ADDRESS.has(codeOf(failure));
}

/** Asks for an email address, and sends a link to it. */
export function EmailLinkForm({
  bodyFor,
  button,
  hint,
  onSent,
  path,
}: {
  /** The path that sends the email. */
  readonly path: string;
  readonly bodyFor: (email: string) => object;
  readonly button: string;
  readonly hint?: string;
  readonly onSent: (email: string) => void;
}) {
  const [email, setEmail] = useState("");
  const form = useForm({
    isComplete: () => problemOfEmail(email) === null,
    request: () => ({ path, body: bodyFor(email.trim()) }),
    onDone: () => onSent(email.trim()),
  });
  return (
    <Form onSubmit={form.submit}>
      <EmailField hint={hint} form={form} value={email} onText={setEmail} />
      {!isEmailRefused(form.failure) && (
        <MutationError of={form} onRetry={form.submit} />
      )}
      <SubmitButton isBusy={form.isBusy}>{button}</SubmitButton>
    </Form>
  );
}
