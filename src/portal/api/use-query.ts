import { useCallback, useEffect, useState } from "react";
import {
  callApi,
  fetchAllPages,
  type ApiFailure,
  type ApiOutcome,
  type ApiSuccess,
} from "./api.ts";

export interface Query<T, M> {
  /** The latest answer, kept while the next one loads. Null before the first. */
  readonly answer: ApiSuccess<T, M> | null;
  readonly failure: ApiFailure | null;
  readonly isLoading: boolean;
  /** Sends the request again. */
  readonly retry: () => void;
}

/**
 * Requests a path whenever it changes, and drops answers to earlier paths. Null requests nothing, and what was answered
 * before doesn't come back.
 */
export function useQuery<T, M = unknown>(path: string | null): Query<T, M> {
  return useQueryBy<T, M>(path, callApi);
}

/** Does the same for a list of the account's, with all of its pages. */
export function useQueryAll<Row, M = unknown>(
  path: string | null,
): Query<Row[], M> {
  return useQueryBy<Row[], M>(path, fetchAllPages);
}

type Fetcher<T, M> = (
  path: string,
  options: { readonly signal: AbortSignal },
) => Promise<ApiOutcome<T, M>>;

function useQueryBy<T, M>(
  path: string | null,
  fetcher: Fetcher<T, M>,
): Query<T, M> {
  const [tries, setTries] = useState(0);
  const [latest, setLatest] = useState<Latest<T, M>>(NOTHING);
  // Differs for each try, so that a retry requests the same path again.
  const requestKey = path === null ? null : `${tries} ${path}`;
  if (requestKey === null && latest !== NOTHING) setLatest(NOTHING);
  useEffect(() => {
    if (path === null || requestKey === null) return undefined;
    const leaving = new AbortController();
    void load(fetcher, path, requestKey, leaving.signal);
    return () => leaving.abort();

    async function load(
      by: Fetcher<T, M>,
      from: string,
      key: string,
      signal: AbortSignal,
    ): Promise<void> {
      const outcome = await by(from, { signal }).catch(() => null);
      if (signal.aborted || outcome === null) return;
      setLatest(
        outcome.ok
          ? { key, answer: outcome.answer, failure: null }
          : { key, answer: null, failure: outcome.failure },
      );
    }
  }, [fetcher, path, requestKey]);
  const retry = useCallback(() => setTries((before) => before + 1), []);
  const isLoading = requestKey !== null && latest.key !== requestKey;
  return {
    answer: requestKey === null ? null : latest.answer,
    failure: requestKey === null || isLoading ? null : latest.failure,
    isLoading,
    retry,
  };
}

/** The latest answer, and the request that it answers. */
interface Latest<T, M> extends Pick<Query<T, M>, "answer" | "failure"> {
  readonly key: string | null;
}

const NOTHING: Latest<never, never> = {
  key: null,
  answer: null,
  failure: null,
};
