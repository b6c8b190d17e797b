import { useState, type ReactNode, useMemo } from "react";
import { Alert, Skeleton, Tag } from "../../components/elements.tsx";
import { Button, CopyButton } from "../../components/button.tsx";
import { Field } from "../../components/field.tsx";
import type { AuthSession } from "../../api/session.tsx";
import { useQuery } from "../../api/use-query.ts";
import { MutationError } from "../mutation-error.tsx";
import { Form, useForm, type FormState } from "../form.tsx";
import { PasswordField } from "../sign-in/fields.tsx";
import { SettingsFailure } from "../settings-page.tsx";
import { codeOf } from "../../api/use-mutation.ts";
import styles from "../account.module.css";
import { encode } from "uqr";

/** The response of `/auth/two-factor/enable`. */
interface Enrolment {
  readonly totpURI: string;
  readonly backupCodes: readonly string[];
}

/** The actions that need the password. */
const ACTIONS = {
  enable: { path: "/auth/two-factor/enable", text: "Continue" },
  codes: {
    path: "/auth/two-factor/generate-backup-codes",
    text: "Create new codes",
  },
  disable: { path: "/auth/two-factor/disable", text: "Turn off" },
} as const;

type Stage =
  | { readonly step: "idle" }
  | { readonly step: "password"; readonly action: keyof typeof ACTIONS }
  | { readonly step: "scan"; readonly enrolment: Enrolment }
  | { readonly step: "codes"; readonly codes: readonly string[] };

const IDLE: Stage = { step: "idle" };

/** Turns two-factor authentication on and off. */
export function TwoFactor({
  hasPassword,
  onChanged,
}: {
  /** Two-factor authentication needs one. */
  readonly hasPassword: boolean;
  /** Called when the session has been replaced. */
  readonly onChanged: () => void;
}) {
  const { answer, failure, retry } = useQuery<AuthSession | null>(
    "/auth/get-session",
  );
  const [stage, setStage] = useState<Stage>(IDLE);
  const isOn = answer?.data?.user.twoFactorEnabled === true;

  function changed(next: Stage): void {
    setStage(next);
    retry();
    onChanged();
  }

  return (
    <section aria-labelledby="two-factor">
      <h2 id="two-factor">Two-factor authentication</h2>
      <SettingsFailure failure={failure} onRetry={retry} />
      {answer === null && failure === null && <Skeleton lines={2} />}
      {answer !== null && (
        <p>
          {isOn ? (
            <>
              <Tag look="good">On</Tag> You need a code from your authenticator
              app to sign in.
            </>
          ) : (
            <>
              <Tag>Off</Tag> With an authenticator app, a stolen password isn’t
              enough to sign in.
            </>
          )}
        </p>
      )}
      {answer !== null && !hasPassword && !isOn && (
        <p>Set a password before you turn it on.</p>
      )}
      {answer !== null && stage.step === "idle" && (hasPassword || isOn) && (
        <div className={styles.rowActions}>
          {isOn ? (
            <>
              <Button
                onClick={() => setStage({ step: "password", action: "codes" })}
              >
                New recovery codes…
              </Button>
              <Button
                onClick={() =>
                  setStage({ step: "password", action: "disable" })
                }
              >
                Turn off…
              </Button>
            </>
          ) : (
            <Button
              onClick={() => setStage({ step: "password", action: "enable" })}
            >
              Turn on…
            </Button>
          )}
        </div>
      )}
      {stage.step === "password" && (
        <PasswordStep
          action={stage.action}
          onCancel={() => setStage(IDLE)}
          onDone={({ backupCodes, totpURI }) => {
            if (stage.action === "enable")
              setStage({ step: "scan", enrolment: { backupCodes, totpURI } });
            else if (stage.action === "codes")
              setStage({ step: "codes", codes: backupCodes });
            else changed(IDLE);
          }}
        />
      )}
      {stage.step === "scan" && (
        <ScanStep
          uri={stage.enrolment.totpURI}
          onCancel={() => setStage(IDLE)}
          onDone={() =>
            changed({ step: "codes", codes: stage.enrolment.backupCodes })
          }
        />
      )}
      {stage.step === "codes" && (
        <RecoveryCodes codes={stage.codes} onStored={() => setStage(IDLE)} />
      )}
    </section>
  );
}

function PasswordStep({
  action,
  onCancel,
  onDone,
}: {
  readonly action: keyof typeof ACTIONS;
  readonly onCancel: () => void;
  readonly onDone: (answer: Enrolment) => void;
}) {
  const [password, setPassword] = useState("");
  const { path, text } = ACTIONS[action];
  const form = useForm({
    isComplete: () => password !== "",
    request: () => ({ path, body: { password } }),
    onDone,
  });
  return (
    <StepForm
      form={form}
      refusal="INVALID_PASSWORD"
      submitText={text}
      onCancel={onCancel}
    >
      {(isRefused) => (
        <PasswordField
          label="Your password"
          value={password}
          onChange={form.typed(setPassword)}
          problem={
            isRefused
              ? "Wrong password."
              : form.isTried && password === ""
                ? "Enter your password."
                : null
          }
        />
      )}
    </StepForm>
  );
}

function ScanStep({
  onCancel,
  onDone,
  uri,
}: {
  readonly uri: string;
  readonly onCancel: () => void;
  readonly onDone: () => void;
}) {
  const [code, setCode] = useState("");
  const secret = new URL(uri).searchParams.get("secret") ?? "";
  const form = useForm({
    isComplete: () => code !== "",
    request: () => ({
      path: "/auth/two-factor/verify-totp",
      body: { code: code.replaceAll(" ", "") },
    }),
    onDone,
  });
  return (
    <>
      <div className={styles.formPart}>
        <p>
          Scan this with your authenticator app, or type in the secret. Then
          enter the code the app shows.
        </p>
        <QrCode
          // Some apps show the plus signs in the service's name.
          text={uri.replaceAll("+", "%20")}
          label="QR code for your authenticator app"
        />
        <div className={styles.secret}>
          <code>{secret}</code>
          <CopyButton text={secret} label="Copy secret" />
        </div>
      </div>
      <StepForm
        form={form}
        refusal="INVALID_CODE"
        submitText="Turn on"
        onCancel={onCancel}
      >
        {(isRefused) => (
          <Field
            label="Code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
            value={code}
            onChange={form.typed(setCode)}
            problem={
              isRefused
                ? "This code is wrong or has expired. Enter the code the app shows now."
                : form.isTried && code === ""
                  ? "Enter the six-digit code."
                  : null
            }
          />
        )}
      </StepForm>
    </>
  );
}

/** Asks for one field, and shows the service's `refusal` itself. */
function StepForm({
  children,
  form,
  onCancel,
  refusal,
  submitText,
}: {
  readonly form: FormState;
  /** The error code of a wrong value. */
  readonly refusal: string;
  readonly submitText: string;
  readonly onCancel: () => void;
  readonly children: (isRefused: boolean) => ReactNode;
}) {
  const isRefused = codeOf(form.failure) === refusal;
  return (
    <div className={styles.formPart}>
      <Form onSubmit={form.submit}>
        {children(isRefused)}
        {!isRefused && <MutationError of={form} onRetry={form.submit} />}
        <div className={styles.rowActions}>
          <Button type="submit" look="primary" isBusy={form.isBusy}>
            {submitText}
          </Button>
          <Button onClick={onCancel}>Cancel</Button>
        </div>
      </Form>
    </div>
  );
}

function RecoveryCodes({
  codes,
  onStored,
}: {
  readonly codes: readonly string[];
  readonly onStored: () => void;
}) {
  const text = codes.join("\n");
  return (
    <div className={styles.formPart}>
      <Alert kind="success" title="Save your recovery codes">
        <p>
          Each code lets you sign in once without the app. You won’t see them
          again. Keep them with your passwords, not just on your phone.
        </p>
      </Alert>
      <div className={styles.secret}>
        <pre tabIndex={0} role="region" aria-label="Recovery codes">
          <code>{text}</code>
        </pre>
        <CopyButton text={text} label="Copy codes" />
      </div>
      <Button look="primary" onClick={onStored}>
        I’ve saved them
      </Button>
    </div>
  );
}

/** The quiet zone around the code, in modules. */
const QUIET = 4;
const PIXELS = 220;

/** Draws a QR code in the page, so that its text reaches no other host. */
function QrCode({
  label,
  text,
}: {
  readonly text: string;
  readonly label: string;
}) {
  const { path, size } = useMemo(() => {
    const { data } = encode(text, { ecc: "M", border: QUIET });
    const dark = data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
    );
    return { path: dark.join(""), size: data.length };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      width={PIXELS}
      height={PIXELS}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
