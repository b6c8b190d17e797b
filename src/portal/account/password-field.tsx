import { useState, type ComponentProps } from "react";
import { Field } from "../components/field.tsx";

/** What the service takes. */
const LEAST_LENGTH = 12;
const MOST_LENGTH = 128;

/** A password, hidden until the reader wants to see it. */
export function PasswordField({
  isNew = false,
  ...field
}: Omit<ComponentProps<typeof Field>, "type"> & {
  /** Whether it is being chosen here. */
  readonly isNew?: boolean;
}) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="password-field">
      <Field
        {...field}
        type={isShown ? "text" : "password"}
        autoComplete={isNew ? "new-password" : "current-password"}
        autoCapitalize="none"
        spellCheck={false}
        required
        {...(isNew
          ? {
              hint: `At least ${LEAST_LENGTH} characters. A few words will do.`,
            }
          : {})}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={isShown}
          onChange={(event) => setShown(event.target.checked)}
        />
        Show password
      </label>
    </div>
  );
}

/** What is wrong with a password that somebody chooses, null for nothing. */
export function problemOfNewPassword(password: string): string | null {
  if (password.length < LEAST_LENGTH)
    return `This has ${password.length} ${password.length === 1 ? "character" : "characters"}; at least ${LEAST_LENGTH} are needed.`;
  return password.length > MOST_LENGTH
    ? `At most ${MOST_LENGTH} characters are taken.`
    : null;
}
