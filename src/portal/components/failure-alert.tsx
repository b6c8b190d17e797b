import { useEffect, useState } from "react";
import { PAGE_PATHS } from "../../site/page-paths.ts";
import type { ApiFailure } from "../api/api.ts";
import { Link, useLocation } from "../shell/router.tsx";
import { useSession } from "../api/session.tsx";
import { Alert } from "./elements.tsx";
import { Button } from "./button.tsx";

/** Says what went wrong with a request, and what to do about it. */
export function FailureAlert({
  failure,
  onRetry,
  quotaTitle = "You’ve used all of this month’s requests",
}: {
  readonly failure: ApiFailure;
  readonly onRetry: () => void;
  /** The title if the quota doesn't allow the request. */
  readonly quotaTitle?: string;
}) {
  switch (failure.kind) {
    case "offline":
      return (
        <Alert kind="warning" title="Can’t reach the service">
          <p>You may be offline, or the service may be restarting.</p>
          <Button onClick={onRetry}>Try again</Button>
        </Alert>
      );
    case "broken":
      return (
        <Alert kind="problem" title="Something went wrong">
          <p>
            This may be an error on our side, or the service was just upgraded.
          </p>
          <Button onClick={onRetry}>Try again</Button>
        </Alert>
      );
    case "signed_out":
      return <SignInFirst />;
    case "rate_limited":
      return (
        <Wait
          key={failure.retryAfterSeconds}
          seconds={failure.retryAfterSeconds}
          onRetry={onRetry}
        />
      );
    case "quota_exhausted":
      return (
        <Alert kind="warning" title={quotaTitle}>
          <p>{failure.error.message}</p>
          <p>
            <Link href={PAGE_PATHS.plan}>See plans</Link>
          </p>
        </Alert>
      );
    default:
      return (
        <Alert kind="problem" title={failure.error.message}>
          {failure.error.status >= 500 && (
            <>
              {failure.error.request_id !== undefined && (
                <p>
                  Request ID: <code>{failure.error.request_id}</code>
                </p>
              )}
              <Button onClick={onRetry}>Try again</Button>
            </>
          )}
        </Alert>
      );
  }
}

/** Comes back to this page after sign-in. */
function SignInFirst() {
  const { path, query } = useLocation();
  const { hasEnded } = useSession();
  const here = query.size === 0 ? path : `${path}?${query}`;
  const next = new URLSearchParams({ next: here });
  return (
    <Alert title={hasEnded ? "Your session has ended" : "Sign in to continue"}>
      <p>
        {hasEnded
          ? "You’ll come back to this page."
          : "You need an account to use this."}{" "}
        <Link href={`${PAGE_PATHS["sign-in"]}?${next}`}>Sign in</Link>
        {!hasEnded && (
          <>
            {" "}
            or <Link href={`${PAGE_PATHS["sign-up"]}?${next}`}>sign up</Link>
          </>
        )}
      </p>
    </Alert>
  );
}

/** Returns the seconds that are left, from `seconds` down, each second; calls at the end. */
export function useCountdown(seconds: number, onEnd: () => void): number {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (left > 1) setLeft(left - 1);
      else onEnd();
    }, 1_000);
    return () => clearTimeout(timer);
  }, [left, onEnd]);
  return left;
}

/** Counts down, then retries. */
function Wait({
  onRetry,
  seconds,
}: {
  readonly seconds: number;
  readonly onRetry: () => void;
}) {
  const left = useCountdown(seconds, onRetry);
  return (
    <Alert kind="warning" title="Too many requests">
      <p>
        This page tries again in {left} {left === 1 ? "second" : "seconds"}.
      </p>
    </Alert>
  );
}
