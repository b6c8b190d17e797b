import type { ApiFailure } from "../../api/api.ts";
import { Field } from "../../components/field.tsx";
import { codeOf } from "../../api/use-mutation.ts";
import { type FormState, Form, useForm, SubmitButton } from "../form.tsx";
import { useState } from "react";
import { MutationError } from "../mutation-error.tsx";

const NO_ADDRESS = "Enter a valid email address.";
const REFUSALS: ReadonlySet<string | null> = new Set([
  "INVALID_EMAIL",
  "VALIDATION_ERROR",
]);

export function EmailField({
  form,
  hint,
  onText,
  value,
}: {
  readonly form: FormState;
  readonly hint?: string | undefined;
  readonly value: string;
  readonly onText: (email: string) => void;
}) {
  return (
    <Field
      hint={hint}
      value={value}
      problem={form.isTried ? problemOfEmail(value, form.failure) : null}
      label="Email address"
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
  return REFUSALS.has(codeOf(failure));
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
