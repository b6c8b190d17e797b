import { useEffect, useState } from "react";
import type { ApiFailure } from "../api.ts";
import { Alert } from "../components/alert.tsx";
import { FailureAlert } from "../components/failure-alert.tsx";
import { codeOf } from "./use-act.ts";

const GUESSED: ReadonlySet<string | null> = new Set([
  "TOO_MANY_ATTEMPTS",
  "too_many_failures",
]);

/** Why something that the reader did has failed. What was done too often is not done again by itself. */
export function ActFailure({
  failure,
  onForget,
  onRetry,
}: {
  readonly failure: ApiFailure | null;
  /** The wait is over. */
  readonly onForget: () => void;
  readonly onRetry: () => void;
}) {
  if (failure === null) return null;
  if (failure.kind !== "rate_limited")
    return <FailureAlert failure={failure} onRetry={onRetry} />;
  const isGuessed = GUESSED.has(codeOf(failure));
  return (
    <Alert
      kind="warning"
      title={isGuessed ? "This password was tried too often" : "Too many tries"}
    >
      <Countdown
        key={failure.retryAfterSeconds}
        seconds={failure.retryAfterSeconds}
        onEnd={onForget}
      />
    </Alert>
  );
}

/** Read out once, and seen to count. */
function Countdown({
  onEnd,
  seconds,
}: {
  readonly seconds: number;
  readonly onEnd: () => void;
}) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (left > 1) setLeft(left - 1);
      else onEnd();
    }, 1_000);
    return () => clearTimeout(timer);
  }, [left, onEnd]);
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
