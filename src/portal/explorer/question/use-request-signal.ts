import { useEffect, useRef } from "react";

/** One request at a time. */
export interface RequestSignal {
  /** Aborts the request before. */
  readonly stop: () => void;
  /** The same, and gives the next request its signal. */
  readonly next: () => AbortSignal;
}

/** Aborts a request once the user goes to another address, or the component is removed. */
export function useRequestSignal(address: string): RequestSignal {
  const running = useRef<Running | null>(null);
  useEffect(() => {
    if (running.current?.at !== address) running.current?.leaving.abort();
  }, [address]);
  useEffect(() => () => running.current?.leaving.abort(), []);
  const stop = () => running.current?.leaving.abort();
  return {
    stop,
    next() {
      stop();
      const leaving = new AbortController();
      running.current = { at: address, leaving };
      return leaving.signal;
    },
  };
}

interface Running {
  readonly at: string;
  readonly leaving: AbortController;
}
