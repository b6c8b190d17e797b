import type { ComponentProps } from "react";
import { Field } from "../components/field.tsx";

/** The address by which a person is known here. */
export function EmailField({
  onText,
  ...field
}: Omit<
  ComponentProps<typeof Field>,
  "label" | "name" | "onChange" | "type"
> & {
  readonly onText: (email: string) => void;
}) {
  return (
    <Field
      {...field}
      label="E-mail address"
      name="email"
      type="email"
      autoComplete="username"
      required
      onChange={(event) => onText(event.target.value)}
    />
  );
}

/** What is wrong with an address of a person, null for nothing; the service looks closer. */
export function problemOfEmail(email: string): string | null {
  if (email.trim() === "") return "Give your e-mail address.";
  return /^\S+@\S+$/.test(email.trim())
    ? null
    : "This is not an e-mail address.";
}
