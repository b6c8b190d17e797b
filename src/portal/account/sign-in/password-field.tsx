import { useState, type ComponentProps } from "react";
import type { ApiFailure } from "../../api/api.ts";
import { Field } from "../../components/field.tsx";

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
              hint: `At least ${LEAST_LENGTH} characters. A few words work well. Don’t use your address or a common password.`,
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

const REFUSALS: ReadonlySet<string> = new Set([
  "PASSWORD_TOO_COMMON",
  "PASSWORD_FROM_ADDRESS",
]);

/** Why the service does not take a password that somebody chose, null where that is not what went wrong. */
export function refusalOfPassword(failure: ApiFailure | null): string | null {
  return failure !== null &&
    "error" in failure &&
    REFUSALS.has(failure.error.code)
    ? failure.error.message
    : null;
}

/** What is wrong with a password that somebody chooses, null for nothing; the service looks closer, and its refusal is `failure`. */
export function problemOfNewPassword(
  password: string,
  failure: ApiFailure | null = null,
): string | null {
  const refusal = refusalOfPassword(failure);
  if (refusal !== null) return refusal;
  if (password.length < LEAST_LENGTH)
    return `This has ${password.length} ${password.length === 1 ? "character" : "characters"}; at least ${LEAST_LENGTH} are needed.`;
  return password.length > MOST_LENGTH
    ? `At most ${MOST_LENGTH} characters are taken.`
    : null;
}
