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
import { forgetKeyOfOthers } from "./tab-key.ts";
import { onSessionBroadcast } from "./session-broadcast.ts";
import { useQuery } from "./use-query.ts";

/** The signed-in user. */
export interface Session {
  /** Undefined while unknown, null if no user is signed in. */
  readonly email: string | null | undefined;
  /** The user who is signed in, or was until the session ended. The account's pages show this user's data. */
  readonly owner: string | null;
  /** The reason why the session is unknown. */
  readonly failure: ApiFailure | null;
  /** True if a user was signed in on this page and the session has ended since. */
  readonly hasEnded: boolean;
  readonly isLoading: boolean;
  /** Requests the session again, after signing in or out. */
  readonly refresh: () => void;
}

/** The response of `/auth/get-session`. */
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

/** The session by the last response; a failed request changes nothing. */
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
  useEffect(() => {
    if (email !== undefined) forgetKeyOfOthers(email);
  }, [email]);
  const session = useMemo(
    () => ({
      email,
      owner,
      // A known user stays known while the service can't be reached.
      failure: typeof email === "string" ? null : failure,
      hasEnded: email === null && owner !== null,
      isLoading,
      refresh: retry,
    }),
    [email, failure, isLoading, owner, retry],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}
