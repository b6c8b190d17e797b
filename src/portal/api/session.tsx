import {
  createContext,
  useContext,
  useEffect,
  useMemo,
  useState,
  type ReactNode,
} from "react";
import { SIGNED_OUT_EVENT, type ApiFailure, type ApiSuccess } from "./api.ts";
import { useConfig } from "./config.ts";
import { onSessionBroadcast } from "./session-broadcast.ts";
import { useQuery } from "./use-query.ts";

/** Who is signed in. */
export interface Session {
  /** Undefined while that is not known yet, null for nobody. */
  readonly email: string | null | undefined;
  /** Who is signed in, or was until the session ended: what the account's pages show is theirs. */
  readonly owner: string | null;
  /** Why it is not known. */
  readonly failure: ApiFailure | null;
  /** Whether somebody was signed in on this page, and the service has said since that the session is over. */
  readonly hasEnded: boolean;
  /** Whether the service is being asked. */
  readonly isLoading: boolean;
  /** Looks again: after signing in or out. */
  readonly refresh: () => void;
}

/** What `/auth/get-session` answers. */
export interface AuthSession {
  readonly session: { readonly token: string };
  readonly user: {
    readonly email: string;
    readonly twoFactorEnabled?: boolean | null;
  };
}

const SessionContext = createContext<Session>({
  email: null,
  owner: null,
  failure: null,
  hasEnded: false,
  isLoading: false,
  refresh: () => undefined,
});

export function useSession(): Session {
  return useContext(SessionContext);
}

/** What is known by the last answer; a question that fails changes nothing. */
interface Known extends Pick<Session, "email" | "owner"> {
  readonly by: ApiSuccess<AuthSession | null> | null;
}

export function SessionProvider({
  children,
}: {
  readonly children: ReactNode;
}) {
  const { sign_up: hasSignUp } = useConfig();
  const { answer, failure, isLoading, retry } = useQuery<AuthSession | null>(
    hasSignUp ? "/auth/get-session" : null,
  );
  const [known, setKnown] = useState<Known>({
    by: null,
    email: hasSignUp ? undefined : null,
    owner: null,
  });
  if (answer !== null && answer !== known.by) {
    const email = answer.data?.user.email ?? null;
    setKnown({ by: answer, email, owner: email ?? known.owner });
  }
  useEffect(() => {
    const onEnd = () => setKnown((before) => ({ ...before, email: null }));
    addEventListener(SIGNED_OUT_EVENT, onEnd);
    return () => removeEventListener(SIGNED_OUT_EVENT, onEnd);
  }, []);
  useEffect(() => {
    if (!hasSignUp) return undefined;
    const onSight = () => {
      if (document.visibilityState === "visible") retry();
    };
    document.addEventListener("visibilitychange", onSight);
    const stopHearing = onSessionBroadcast(retry);
    return () => {
      document.removeEventListener("visibilitychange", onSight);
      stopHearing();
    };
  }, [hasSignUp, retry]);
  const { email, owner } = known;
  const session = useMemo(
    () => ({
      email,
      owner,
      // Who is known stays known while the service is away.
      failure: typeof email === "string" ? null : failure,
      hasEnded: email === null && owner !== null,
      isLoading,
      refresh: retry,
    }),
    [email, failure, isLoading, owner, retry],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}
