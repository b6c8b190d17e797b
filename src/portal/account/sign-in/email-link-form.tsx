import { useState } from "react";
import { Form, useForm } from "../form.tsx";
import { MutationError } from "../mutation-error.tsx";
import { EmailField, isEmailRefused, problemOfEmail } from "./email-field.tsx";
import { SubmitButton } from "./submit-button.tsx";

/** A form that sends a link to an email address. */
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
