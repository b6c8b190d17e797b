import {
  createContext,
  useContext,
  useEffect,
  useMemo,
  useState,
  type ReactNode,
} from "react";
import { SIGNED_OUT_EVENT, type ApiFailure, type ApiSuccess } from "./api.ts";
import { useFacts } from "./facts.ts";
import { useAsk } from "./use-ask.ts";

/** Who is signed in. */
export interface Session {
  /** Undefined while that is not known yet, null for nobody. */
  readonly email: string | null | undefined;
  /** Why it is not known. */
  readonly failure: ApiFailure | null;
  /** Whether somebody was signed in on this page, and the service has said since that the session is over. */
  readonly hasEnded: boolean;
  /** Looks again: after signing in or out. */
  readonly refresh: () => void;
}

/** What `/auth/get-session` answers. */
export interface HeldSession {
  readonly session: { readonly token: string };
  readonly user: { readonly email: string };
}

const SessionContext = createContext<Session>({
  email: null,
  failure: null,
  hasEnded: false,
  refresh: () => undefined,
});

export function useSession(): Session {
  return useContext(SessionContext);
}

export function SessionProvider({
  children,
}: {
  readonly children: ReactNode;
}) {
  const { sign_up: hasPeople } = useFacts();
  const { answer, failure, isLoading, retry } = useAsk<HeldSession | null>(
    hasPeople ? "/auth/get-session" : null,
  );
  const [ended, setEnded] = useState<ApiSuccess<unknown> | null>(null);
  useEffect(() => {
    const onEnd = () => setEnded(answer);
    addEventListener(SIGNED_OUT_EVENT, onEnd);
    return () => removeEventListener(SIGNED_OUT_EVENT, onEnd);
  }, [answer]);
  const held = answer?.data?.user.email ?? null;
  const hasEnded = held !== null && answer === ended;
  const known = hasEnded ? null : held;
  const isUnknown = isLoading || failure !== null;
  const email = known === null && isUnknown ? undefined : known;
  const session = useMemo(
    () => ({ email, failure, hasEnded, refresh: retry }),
    [email, failure, hasEnded, retry],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}
