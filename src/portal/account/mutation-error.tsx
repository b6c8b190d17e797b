import { Alert } from "../components/elements.tsx";
import { FailureAlert, useCountdown } from "../components/failure-alert.tsx";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import { useSession } from "../api/session.tsx";
import { codeOf, type Mutation } from "../api/use-mutation.ts";
import { publicPath } from "../public-path.ts";

const GUESSED: ReadonlySet<string | null> = new Set([
  "TOO_MANY_ATTEMPTS",
  "too_many_failures",
]);

/** Says why a mutation failed. Unlike `FailureAlert`, it never retries a rate-limited one by itself. */
export function MutationError({
  of: { failure, clearFailure },
  onRetry,
}: {
  readonly of: Pick<Mutation, "failure" | "clearFailure">;
  readonly onRetry: () => void;
}) {
  if (failure === null) return null;
  if (failure.kind === "signed_out") return <SignInElsewhere />;
  if (failure.kind !== "rate_limited")
    return <FailureAlert failure={failure} onRetry={onRetry} />;
  const isGuessed = GUESSED.has(codeOf(failure));
  return (
    <Alert
      kind="warning"
      title={isGuessed ? "Too many wrong passwords" : "Too many attempts"}
    >
      <Countdown
        key={failure.retryAfterSeconds}
        seconds={failure.retryAfterSeconds}
        onEnd={clearFailure}
      />
    </Alert>
  );
}

/** Leads to sign-in in another tab, so that what was typed here stays. */
function SignInElsewhere() {
  const { hasEnded } = useSession();
  return (
    <Alert kind="warning" title="Sign in to continue">
      <p>
        {hasEnded ? "Your session has ended." : "You are not signed in."}{" "}
        <a
          href={publicPath(PAGE_PATHS["sign-in"])}
          target="_blank"
          rel="noreferrer"
        >
          Open sign-in in another tab
        </a>
        , then come back and try again. What you typed stays here.
      </p>
    </Alert>
  );
}

/** Counts down visibly, but is read out only once. */
function Countdown({
  onEnd,
  seconds,
}: {
  readonly seconds: number;
  readonly onEnd: () => void;
}) {
  const left = useCountdown(seconds, onEnd);
  return (
    <p>
      <span className="visually-hidden">Try again in {spanOf(seconds)}.</span>
      <span aria-hidden="true">Try again in {spanOf(left)}.</span>
    </p>
  );
}

function spanOf(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (seconds >= 120) return `${minutes} minutes`;
  return `${seconds} ${seconds === 1 ? "second" : "seconds"}`;
}
