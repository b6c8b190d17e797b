import { useCallback, useEffect, useState } from "react";
import {
  ask,
  askAll,
  type ApiFailure,
  type ApiOutcome,
  type ApiSuccess,
} from "./api.ts";

export interface Query<T, M> {
  /** The newest answer; while another is awaited, the one before. Null until there is one. */
  readonly answer: ApiSuccess<T, M> | null;
  readonly failure: ApiFailure | null;
  readonly isLoading: boolean;
  /** Asks once more. */
  readonly retry: () => void;
}

/** Asks for a path whenever it changes, and drops answers that nobody waits for any more; null asks for nothing. */
export function useQuery<T, M = unknown>(path: string | null): Query<T, M> {
  return useQueryBy<T, M>(path, ask);
}

/** The same for a list of one's own, with all of its pages. */
export function useQueryAll<Row, M = unknown>(
  path: string | null,
): Query<Row[], M> {
  return useQueryBy<Row[], M>(path, askAll);
}

type Fetcher<T, M> = (
  path: string,
  options: { readonly signal: AbortSignal },
) => Promise<ApiOutcome<T, M>>;

function useQueryBy<T, M>(
  path: string | null,
  asker: Fetcher<T, M>,
): Query<T, M> {
  const [turn, setTurn] = useState(0);
  const [came, setCame] = useState<Came<T, M>>(NOTHING);
  const question = path === null ? null : `${turn} ${path}`;
  useEffect(() => {
    if (question === null) return undefined;
    const leaving = new AbortController();
    void load(asker, question, leaving.signal);
    return () => leaving.abort();

    async function load(
      by: Fetcher<T, M>,
      to: string,
      signal: AbortSignal,
    ): Promise<void> {
      const from = to.slice(to.indexOf(" ") + 1);
      const outcome = await by(from, { signal }).catch(() => null);
      if (signal.aborted || outcome === null) return;
      setCame(
        outcome.ok
          ? { to, answer: outcome.answer, failure: null }
          : { to, answer: null, failure: outcome.failure },
      );
    }
  }, [asker, question]);
  const retry = useCallback(() => setTurn((before) => before + 1), []);
  const isLoading = question !== null && came.to !== question;
  return {
    answer: question === null ? null : came.answer,
    failure: question === null || isLoading ? null : came.failure,
    isLoading,
    retry,
  };
}

/** What came last, and to which question. */
interface Came<T, M> extends Pick<Query<T, M>, "answer" | "failure"> {
  readonly to: string | null;
}

const NOTHING = { to: null, answer: null, failure: null };
