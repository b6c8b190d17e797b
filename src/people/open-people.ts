import { BASE_ERROR_CODES, betterAuth } from "better-auth";
import { Accounts } from "../accounts/accounts.ts";
import type { Account } from "../accounts/account-store.ts";
import type { Random } from "../accounts/api-key.ts";
import type { DatabasePlace } from "../accounts/database.ts";
import { openForLibrary } from "../accounts/open-database.ts";
import type { Plans } from "../accounts/plans.ts";
import {
  authOptions,
  type AuthParts,
  type GithubApp,
  type PasswordOwner,
} from "./auth-options.ts";
import { mailsBy } from "./mails.ts";
import { AUTH_PATH } from "./mount.ts";
import type { Confirmation, People, SignedIn } from "./people.ts";
import { openPost, type PostPlace } from "./post.ts";
import { SIGN_IN_LIMIT, signInAttempt } from "./sign-in-limit.ts";

/** How long a new session stands in for a password that there is not. */
const FRESH_MS = 600_000;

/** The pages of the portal that mails lead to, and the answer to the first step of a reset. */
const RESET_PAGE = "/reset-password";
const SIGN_IN_PAGE = "/sign-in";

/** What can be asked below `AUTH_PATH`; the library has more, which nobody needs. */
const OFFERED: readonly RegExp[] = [
  /^GET \/(ok|error|get-session|list-sessions|list-accounts|verify-email)$/,
  /^GET \/(reset-password\/[A-Za-z0-9]+|callback\/github)$/,
  /^POST \/sign-(up\/email|in\/email|in\/social|out)$/,
  /^POST \/(request-password-reset|reset-password|change-password|send-verification-email)$/,
  /^POST \/revoke-(session|sessions|other-sessions)$/,
];

const SIGN_IN = "/sign-in/email";

/** What says, by the time it takes, whether an address is known takes this long for all, in milliseconds. */
const ALIKE: ReadonlySet<string> = new Set([
  "/sign-up/email",
  "/request-password-reset",
]);
const ALIKE_MS = 500;

/** What sign-up needs, as threads can be given it. */
export interface PeopleSetup {
  readonly secret: string;
  readonly github: GithubApp | null;
  readonly post: PostPlace;
}

export interface OpenPeopleOptions extends PeopleSetup {
  readonly place: DatabasePlace;
  readonly plans: Plans;
  readonly clock: () => number;
  readonly random: Random;
  /** Where people reach the service, without a trailing slash. */
  readonly url: string;
  readonly origins: readonly string[];
  /** Shows a line to whoever reads the terminal. */
  readonly show: (line: string) => void;
  /** Told what went wrong, in words that can be logged. */
  readonly onFault: (reason: string) => void;
}

/** Opens sign-up and sign-in over the accounts' database. Throws AccountsDatabaseError. */
export async function openPeople(options: OpenPeopleOptions): Promise<People> {
  const { clock, onFault, place, plans, random, show, url } = options;
  const database = await openForLibrary(place);
  const { db } = database;
  const accounts = new Accounts({ db, clock, random, actor: "owner" }, plans);
  const post = openPost({ place: options.post, show, onFault });
  const mails = mailsBy({
    post,
    accounts,
    onFault,
    signInUrl: `${url}${SIGN_IN_PAGE}`,
    async askReset(email) {
      await auth.api.requestPasswordReset({
        body: { email, redirectTo: RESET_PAGE },
      });
    },
  });
  const auth = authWith({
    ...options,
    database,
    accounts,
    mails,
    async onPasswordReset(userId) {
      const { internalAdapter } = await auth.$context;
      const { email } = await internalAdapter.updateUser(userId, {
        emailVerified: true,
      });
      await accounts.accountOfPerson({ userId, email });
      await onPasswordChange({ id: userId, email });
    },
    onPasswordChange,
  });

  return {
    accounts,
    answer,
    whoIs,
    accountOf: ({ email, userId }: SignedIn): Promise<Account> =>
      accounts.accountOfPerson({ userId, email }),
    confirm,
    async [Symbol.asyncDispose]() {
      await post[Symbol.asyncDispose]();
      await accounts[Symbol.asyncDispose]();
    },
  };

  /** With a new password nobody waits for tries of the old one, and no link that was mailed before makes another. */
  async function onPasswordChange({ email, id }: PasswordOwner): Promise<void> {
    await accounts.forgetLinks(id);
    await accounts.forgetAttempts(signInAttempt(email));
  }

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const path = pathname.slice(new URL(`${url}${AUTH_PATH}`).pathname.length);
    const asked = `${request.method === "HEAD" ? "GET" : request.method} ${path}`;
    if (!OFFERED.some((pattern) => pattern.test(asked)))
      return new Response(null, { status: 404 });
    if (path === SIGN_IN) return hideUnconfirmed(await auth.handler(request));
    if (!ALIKE.has(path)) return auth.handler(request);
    const [response] = await Promise.all([auth.handler(request), pause()]);
    return response;
  }

  async function whoIs(headers: Headers): Promise<SignedIn | null> {
    const found = await auth.api.getSession({ headers });
    if (found === null) return null;
    const { session, user } = found;
    return {
      userId: user.id,
      email: user.email,
      isVerified: user.emailVerified,
      since: new Date(session.createdAt).getTime(),
    };
  }

  async function confirm(
    { email, since, userId }: SignedIn,
    password: string | null,
  ): Promise<Confirmation> {
    const { internalAdapter, password: passwords } = await auth.$context;
    const ways = await internalAdapter.findAccounts(userId);
    const hash = ways.find((way) => way.providerId === "credential")?.password;
    if (hash === undefined || hash === null)
      // By the clock of the library, which wrote when the session began.
      return Date.now() - since < FRESH_MS ? "confirmed" : "sign_in_again";
    const attempt = signInAttempt(email);
    const wait = await accounts.takeAttempt(attempt, SIGN_IN_LIMIT);
    if (wait > 0) return { retryAfterSeconds: wait };
    if (
      password === null ||
      !(await passwords.verify({ hash, password: password.slice(0, 128) }))
    )
      return "wrong_password";
    await accounts.forgetAttempts(attempt);
    return "confirmed";
  }
}

/**
 * Answers the right password of an unconfirmed address like a wrong one. Else whoever signs up, and then in with the same
 * password, would learn whether the address was free. Its owner gets another mail.
 */
async function hideUnconfirmed(response: Response): Promise<Response> {
  if (response.status !== 403) return response;
  const body: unknown = await response.clone().json();
  const code =
    typeof body === "object" && body !== null && Reflect.get(body, "code");
  if (code !== "EMAIL_NOT_VERIFIED") return response;
  // To the letter what the library answers to a wrong password.
  const { message } = BASE_ERROR_CODES.INVALID_EMAIL_OR_PASSWORD;
  return Response.json(
    { message, code: BASE_ERROR_CODES.INVALID_EMAIL_OR_PASSWORD.code },
    { status: 401, headers: response.headers },
  );
}

function authWith(parts: AuthParts) {
  return betterAuth(authOptions(parts));
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ALIKE_MS));
}
