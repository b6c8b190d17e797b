import { useState } from "react";
import { PAGE_PATHS } from "../../../site/page-paths.ts";
import { Facts, Skeleton, Tag, DateText } from "../../components/elements.tsx";
import { Button } from "../../components/button.tsx";
import type { AuthSession } from "../../api/session.tsx";
import { useQuery } from "../../api/use-query.ts";
import { MutationError } from "../mutation-error.tsx";
import { deviceName } from "./device-name.ts";
import { withQuery } from "../sign-in/next-path.ts";
import { SettingsFailure } from "../settings-page.tsx";
import { codeOf, useMutation, type Mutation } from "../../api/use-mutation.ts";
import { publicPath } from "../../public-path.ts";
import styles from "../account.module.css";

/** A row of `GET /auth/list-sessions`. */
interface ActiveSession {
  readonly token: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
}

/** Lists the account's sessions, each with a button that ends it. */
export function Sessions() {
  const sessions = useQuery<ActiveSession[]>("/auth/list-sessions");
  const own = useQuery<AuthSession | null>("/auth/get-session");
  const mutation = useMutation();
  const [announcement, setAnnouncement] = useState("");
  const here = own.answer?.data?.session.token ?? null;

  async function end(path: string, body: object, done: string): Promise<void> {
    const answer = await mutation.run(path, { body });
    if (answer === null) return;
    setAnnouncement(done);
    sessions.retry();
    // The pressed button disappears with its row.
    document.getElementById("sessions")?.focus();
  }

  const endOthers = () =>
    void end(
      "/auth/revoke-other-sessions",
      {},
      "All other sessions have ended.",
    );
  const failure = sessions.failure ?? own.failure;
  const isStale = codeOf(sessions.failure) === "SESSION_NOT_FRESH";
  const all = (sessions.answer?.data ?? []).toSorted((a, b) =>
    b.updatedAt.localeCompare(a.updatedAt),
  );
  const others = all.filter(({ token }) => token !== here);
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions" tabIndex={-1}>
        Sessions
      </h2>
      <p className="hint">
        A session ends after 30 days without use, and at most 180 days after
        sign-in.
      </p>
      <MutationError of={mutation} onRetry={mutation.clearFailure} />
      <p
        role="status"
        className={announcement === "" ? "visually-hidden" : undefined}
      >
        {announcement}
      </p>
      {isStale && <SignInToSee />}
      {!isStale && failure !== null && (
        <SettingsFailure
          failure={failure}
          onRetry={() => {
            sessions.retry();
            own.retry();
          }}
        />
      )}
      {(sessions.answer === null || own.answer === null) &&
        failure === null && <Skeleton lines={3} />}
      {sessions.answer !== null && here !== null && (
        <ul className={styles.rows} aria-label="Sessions">
          {all
            .filter(({ token }) => token === here)
            .concat(others)
            .map((session) => (
              <SessionRow
                key={session.token}
                session={session}
                isHere={session.token === here}
                mutation={mutation}
                onEnd={() =>
                  void end(
                    "/auth/revoke-session",
                    { token: session.token },
                    `Session ended: ${deviceName(session.userAgent)}.`,
                  )
                }
              />
            ))}
        </ul>
      )}
      {(others.length > 1 || isStale) && (
        <Button isBusy={mutation.isBusy} onClick={endOthers}>
          End all other sessions
        </Button>
      )}
    </section>
  );
}

function SessionRow({
  mutation,
  isHere,
  onEnd,
  session: { createdAt, ipAddress, updatedAt, userAgent },
}: {
  readonly session: ActiveSession;
  readonly isHere: boolean;
  readonly mutation: Mutation;
  readonly onEnd: () => void;
}) {
  const device = deviceName(userAgent);
  return (
    <li className={styles.row}>
      <div className={styles.rowHead}>
        <h3 className={styles.rowName}>{device}</h3>
        {isHere && <Tag look="good">This session</Tag>}
      </div>
      <Facts
        className={styles.rowFacts}
        facts={[
          ["Signed in", <DateText key="at" at={createdAt} />],
          ["Last renewed", <DateText key="at" at={updatedAt} />],
          ["IP address", ipAddress || "unknown"],
        ]}
      />
      {!isHere && (
        <div className={styles.rowActions}>
          <Button
            isBusy={mutation.isBusy}
            onClick={onEnd}
            aria-label={`End session: ${device}`}
          >
            End session
          </Button>
        </div>
      )}
    </li>
  );
}

/** Sessions can be listed only within a day of signing in. */
function SignInToSee() {
  const mutation = useMutation();

  async function again(): Promise<void> {
    const answer = await mutation.run("/auth/sign-out", { body: {} });
    if (answer === null) return;
    const next = PAGE_PATHS.security;
    location.assign(publicPath(withQuery(PAGE_PATHS["sign-in"], { next })));
  }

  return (
    <>
      <p>
        You signed in more than a day ago. Sign in again to see your sessions.
      </p>
      <MutationError of={mutation} onRetry={() => void again()} />
      <p>
        <Button isBusy={mutation.isBusy} onClick={() => void again()}>
          Sign in again
        </Button>
      </p>
    </>
  );
}
