import { useCallback, useRef, useState } from "react";
import {
  callApi,
  type ApiFailure,
  type ApiOutcome,
  type ApiSuccess,
  type ApiRequestOptions,
} from "./api.ts";

/** Requests that change something, one at a time. */
export interface Mutation {
  readonly isBusy: boolean;
  /** The failure of the last request. */
  readonly failure: ApiFailure | null;
  /** Sends a request. Null if another one is still running. */
  readonly attempt: <T, M = unknown>(
    path: string,
    options?: ApiRequestOptions,
  ) => Promise<ApiOutcome<T, M> | null>;
  /** Sends a request. Null if it failed or another one is still running. */
  readonly run: <T, M = unknown>(
    path: string,
    options?: ApiRequestOptions,
  ) => Promise<ApiSuccess<T, M> | null>;
  readonly clearFailure: () => void;
}

export function useMutation(): Mutation {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const isUnderWay = useRef(false);
  const attempt = useCallback(
    async <T, M = unknown>(
      path: string,
      options: ApiRequestOptions = {},
    ): Promise<ApiOutcome<T, M> | null> => {
      if (isUnderWay.current) return null;
      isUnderWay.current = true;
      setBusy(true);
      setFailure(null);
      const outcome = await callApi<T, M>(path, { method: "POST", ...options });
      isUnderWay.current = false;
      setBusy(false);
      if (!outcome.ok) setFailure(outcome.failure);
      return outcome;
    },
    [],
  );
  const run = useCallback(
    async <T, M = unknown>(
      path: string,
      options?: ApiRequestOptions,
    ): Promise<ApiSuccess<T, M> | null> => {
      const outcome = await attempt<T, M>(path, options);
      return outcome?.ok === true ? outcome.answer : null;
    },
    [attempt],
  );
  const clearFailure = useCallback(() => setFailure(null), []);
  return { isBusy, failure, attempt, run, clearFailure };
}

/** Returns the error code, or null if the service sent none. */
export function codeOf(failure: ApiFailure | null): string | null {
  return failure !== null && "error" in failure ? failure.error.code : null;
}

/** True if the request may have taken effect although it failed. */
export function isUncertain(failure: ApiFailure): boolean {
  return (
    failure.kind === "offline" ||
    failure.kind === "broken" ||
    (failure.kind === "refused" && failure.error.status >= 500)
  );
}
