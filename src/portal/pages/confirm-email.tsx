import { useEffect, useState } from "react";
import { PAGE_TITLES } from "../../site/page-titles.ts";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { readLinkToken, type LinkToken } from "../../text/link-token.ts";
import { Form, useForm, SubmitButton } from "../account/form.tsx";
import { MutationError } from "../account/mutation-error.tsx";
import { AuthPage, CheckEmail } from "../account/sign-in/auth-page.tsx";
import { EmailLinkForm } from "../account/sign-in/fields.tsx";
import { mailedPath, nextPath } from "../account/sign-in/next-path.ts";
import { SignInNext } from "../account/sign-in/sign-in-next.tsx";
import { useConfig } from "../api/config.ts";
import { broadcastSessionChange } from "../api/session-broadcast.ts";
import { useSession } from "../api/session.tsx";
import { codeOf } from "../api/use-mutation.ts";
import { Spinner } from "../components/elements.tsx";
import { ButtonLink } from "../components/button.tsx";
import { Link, navigate, useLocation } from "../shell/router.tsx";
import styles from "../account/sign-in/sign-in.module.css";

const SEND_PATH = "/auth/send-verification-email";

type Step = "ask" | "confirmed" | "signed-in" | "used" | "expired" | "unknown";

const CONFIRMED = "Email address confirmed";

/** The steps after a refusal, by its code. */
const REFUSALS: ReadonlyMap<string | null, Step> = new Map([
  ["LINK_USED", "used"],
  ["TOKEN_EXPIRED", "expired"],
  ["INVALID_TOKEN", "unknown"],
]);

/** Confirms an address from the link in an email: of a sign-up, or the new one of an account. Opening changes nothing: mail scanners do that, too. */
export default function ConfirmEmail() {
  const { query } = useLocation();
  const next = query.get("callbackURL");
  const token = query.get("token");
  const { email, isLoading, refresh } = useSession();
  const [step, setStep] = useState<Step>("ask");
  const leadsOn = step === "signed-in" && !isLoading && email !== null;
  useEffect(() => {
    if (leadsOn) navigate(nextPath(next), { replace: true });
  }, [leadsOn, next]);
  const link = readLinkToken(token ?? "");
  if (
    token === null ||
    link === null ||
    step === "unknown" ||
    step === "expired"
  )
    return link?.isChange === true && step !== "unknown" ? (
      <ChangeEnded isLate />
    ) : (
      <InvalidLink next={next} step={step} />
    );
  if (link.isChange && step === "used") return <ChangeEnded />;
  if (link.isChange && step === "confirmed")
    return <Changed email={link.email} />;
  if (leadsOn || (step === "signed-in" && isLoading))
    return (
      <AuthPage title={CONFIRMED}>
        <Spinner label="Signing in" />
      </AuthPage>
    );
  if (step !== "ask")
    return (
      <SignInNow
        key={step}
        email={link.email}
        next={next}
        isUsed={step === "used"}
      />
    );
  return (
    <ConfirmForm
      link={link}
      token={token}
      onRefused={setStep}
      onDone={(isSignedIn) => {
        setStep(isSignedIn ? "signed-in" : "confirmed");
        if (!isSignedIn && !link.isChange) return;
        refresh();
        broadcastSessionChange();
      }}
    />
  );
}

function ConfirmForm({
  link: { email, isChange },
  onDone,
  onRefused,
  token,
}: {
  /** The data in the link, which aren't checked until it is confirmed. */
  readonly link: LinkToken;
  readonly token: string;
  /** Called once the address is confirmed, with whether this browser is signed in now. */
  readonly onDone: (isSignedIn: boolean) => void;
  /** Called when the link doesn't work. */
  readonly onRefused: (step: Step) => void;
}) {
  const { name } = useConfig();
  const form = useForm<{ readonly signedIn: boolean }>({
    isComplete: () => true,
    request: () => ({ path: "/auth/verify-email", body: { token } }),
    onDone: ({ signedIn }) => onDone(signedIn),
    onFailure(failure) {
      const step = REFUSALS.get(codeOf(failure));
      if (step !== undefined) onRefused(step);
    },
  });
  return (
    <AuthPage
      title={PAGE_TITLES["confirm-email"]}
      lead={
        isChange ? (
          <>
            Someone wants the address of their account at {name} to be{" "}
            <strong>{email}</strong>.
          </>
        ) : (
          <>
            Someone signed up for {name} with <strong>{email}</strong>.
          </>
        )
      }
    >
      <p>
        Confirm the address only if this was you. Otherwise, close this page:
        the address won’t be used.
      </p>
      <Form onSubmit={form.submit}>
        <MutationError of={form} onRetry={form.submit} />
        <SubmitButton isBusy={form.isBusy}>Confirm email address</SubmitButton>
      </Form>
    </AuthPage>
  );
}

/** Leads on with a confirmed address: this browser isn't the one that signed up, or the link was used before. */
function SignInNow({
  email,
  isUsed,
  next,
}: {
  readonly email: string;
  readonly isUsed: boolean;
  readonly next: string | null;
}) {
  return (
    <AuthPage
      isStep
      title={isUsed ? "This address is already confirmed" : CONFIRMED}
      lead={
        <>
          {isUsed
            ? "Links work once. Sign in with the password of "
            : "Your account is ready, on the free plan. Sign in with the password that you chose for "}
          <strong>{email}</strong>.
        </>
      }
    >
      <SignInNext email={email} next={next} />
      <p className={styles.footnote}>
        <Link href={PAGE_PATHS["forgot-password"]}>Forgot your password?</Link>
      </p>
    </AuthPage>
  );
}

/** Says that an account has its new address. */
function Changed({ email }: { readonly email: string }) {
  const { email: present } = useSession();
  return (
    <AuthPage
      isStep
      title="Email address changed"
      lead={
        <>
          From now on, sign in with <strong>{email}</strong>. Your password
          stays.
        </>
      }
    >
      {present === email ? (
        <ButtonLink
          className={styles.wide}
          look="primary"
          href={PAGE_PATHS.security}
        >
          Continue
        </ButtonLink>
      ) : (
        <SignInNext email={email} />
      )}
    </AuthPage>
  );
}

/** Says that the link of a new address no longer works, and leads to the form for another one. */
function ChangeEnded({ isLate = false }: { readonly isLate?: boolean }) {
  return (
    <AuthPage
      isStep
      title={isLate ? "This link has expired" : "This link no longer works"}
      lead={
        isLate
          ? "Links work for one hour."
          : "It was used before, a later change of your account ended it, or the address has another account."
      }
    >
      <ButtonLink
        className={styles.wide}
        look="primary"
        href={PAGE_PATHS.security}
      >
        Security settings
      </ButtonLink>
    </AuthPage>
  );
}

function InvalidLink({
  next,
  step,
}: {
  readonly next: string | null;
  readonly step: Step;
}) {
  const isLate = step === "expired";
  const callbackURL = mailedPath(next);
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo !== null)
    return (
      <CheckEmail
        path={SEND_PATH}
        body={{ email: sentTo, callbackURL }}
        lead={
          <>
            If <strong>{sentTo}</strong> is waiting to be confirmed, we’ve sent
            it a new link.
          </>
        }
      />
    );
  return (
    <AuthPage
      key={step}
      isStep={step !== "ask"}
      title={isLate ? "This link has expired" : "This link doesn’t work"}
      lead={
        isLate
          ? "Links work for one hour. Enter your email address to get a new one."
          : "It may be incomplete, or the account may be gone. Enter your email address to get a new link."
      }
    >
      <EmailLinkForm
        path={SEND_PATH}
        bodyFor={(email) => ({ email, callbackURL })}
        hint="We’ll send a new link if this address still needs to be confirmed."
        button="Send a new link"
        onSent={setSentTo}
      />
    </AuthPage>
  );
}
