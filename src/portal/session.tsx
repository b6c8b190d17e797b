import { createContext, useContext, useMemo, type ReactNode } from "react";
import { useFacts } from "./facts.ts";
import { useAsk } from "./use-ask.ts";

/** Who is signed in. */
export interface Session {
  /** Undefined while that is not known yet, null for nobody. */
  readonly email: string | null | undefined;
  /** Looks again: after signing in or out. */
  readonly refresh: () => void;
}

const SessionContext = createContext<Session>({
  email: null,
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
  const { answer, failure, retry } = useAsk<{
    readonly user: { readonly email: string };
  } | null>(hasPeople ? "/auth/get-session" : null);
  const isKnown = !hasPeople || answer !== null || failure !== null;
  const email = isKnown ? (answer?.data?.user.email ?? null) : undefined;
  const session = useMemo(() => ({ email, refresh: retry }), [email, retry]);
  return <SessionContext value={session}>{children}</SessionContext>;
}
