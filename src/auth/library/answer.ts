import { BASE_ERROR_CODES } from "better-auth";
import type { AccountsDatabase } from "../../accounts/database/open-database.ts";
import { limitUnverified } from "../../accounts/users/purge-expired-users.ts";
import type { AuthLibrary } from "./auth-options.ts";
import { redact, signDummyLink } from "./library-extras.ts";
import { inBackground } from "../mail/mailer.ts";
import {
  AUTH_PATH,
  CONFIRM_PAGE,
  CONFIRM_PATH,
  SIGN_IN_PAGE,
} from "../auth.ts";
import { membersOf } from "../request-check.ts";
import { leadToSecondStep } from "../second-factor.ts";

/** The routes under `AUTH_PATH`. The library has more, which answer 404. */
const ROUTES: readonly RegExp[] = [
  /^GET \/(error|get-session|list-accounts|list-sessions)$/,
  /^GET \/(reset-password\/[A-Za-z0-9]+|callback\/github)$/,
  /^POST \/sign-(up\/email|in\/email|in\/social|out)$/,
  /^POST \/(request-password-reset|reset-password|change-password|send-verification-email|verify-email)$/,
  /^POST \/two-factor\/(enable|disable|verify-totp|verify-backup-code|generate-backup-codes)$/,
  /^POST \/revoke-(session|other-sessions)$/,
];

/** After this many sign-ups a thread counts all unconfirmed ones, so the limit can be exceeded by as many. */
const SIGN_UPS_PER_CHECK = 50;

const SIGN_IN = "/sign-in/email";
const SIGN_UP = "/sign-up/email";
const GITHUB_CALLBACK = "/callback/github";

/** Answers whose time would reveal whether an address is known are padded to the same duration. */
const PADDED_PATHS: ReadonlySet<string> = new Set([
  SIGN_UP,
  "/request-password-reset",
]);
const PADDED_MS = 500;

export interface AnswerParts {
  readonly auth: AuthLibrary;
  readonly db: AccountsDatabase;
  readonly url: string;
  readonly secret: string;
  /** The least time that sign-ups and requests for a new password take; 500 by default. */
  readonly paddedMs?: number;
  readonly onFault: (reason: string) => void;
}

/** Answers requests under `AUTH_PATH`: by the library, without what its answers would reveal. */
export function answersOf({
  auth,
  db,
  onFault,
  paddedMs = PADDED_MS,
  secret,
  url,
}: AnswerParts): (request: Request) => Promise<Response> {
  let signUps = 0;
  return answer;

  async function answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const path = pathname.slice(new URL(`${url}${AUTH_PATH}`).pathname.length);
    const route = `${request.method === "HEAD" ? "GET" : request.method} ${path}`;
    // Mailed links lead to a page with a button: mail scanners open links, too.
    if (route === `GET ${CONFIRM_PATH}`)
      return Response.redirect(`${url}${CONFIRM_PAGE}${search}`);
    if (!ROUTES.some((pattern) => pattern.test(route)))
      return new Response(null, { status: 404 });
    if (path === SIGN_IN) {
      const response = await ask(request);
      if (response.status === 401) await signDummyLink(secret);
      return hideUnconfirmed(response);
    }
    if (path === GITHUB_CALLBACK)
      return leadToSecondStep(await ask(request), `${url}${SIGN_IN_PAGE}`);
    if (!PADDED_PATHS.has(path)) return ask(request);
    const answering = path === SIGN_UP ? signUp(request) : ask(request);
    const [response] = await Promise.all([answering, pause(paddedMs)]);
    return response;
  }

  /** Passes a request to the library. A fault is logged by name; the client only gets 500. */
  async function ask(request: Request): Promise<Response> {
    try {
      const response = await auth.handler(request);
      if (response.status >= 500) onFault(`answered ${response.status}`);
      return response;
    } catch (error) {
      onFault(redact(String(error).slice(0, 500)));
      return new Response(null, { status: 500 });
    }
  }

  /**
   * Signs up. If two sign-ups for one address arrive at once, the library fails one, which is answered like any
   * repeated sign-up.
   */
  async function signUp(request: Request): Promise<Response> {
    if (++signUps % SIGN_UPS_PER_CHECK === 0)
      inBackground(() => limitUnverified(db), onFault);
    const again = request.clone();
    const response = await ask(request);
    if (response.status !== 422) return response;
    const body: unknown = await again.clone().json();
    return auth.api.signUpEmail({
      body: { name: "", email: "", password: "", ...membersOf(body) },
      request: again,
      headers: again.headers,
      asResponse: true,
    });
  }
}

/**
 * Answers the right password of an unconfirmed address like a wrong one. Otherwise someone who signs up and then signs
 * in with the same password would learn whether the address was free. The address gets another mail.
 */
async function hideUnconfirmed(response: Response): Promise<Response> {
  if (response.status !== 403) return response;
  const body: unknown = await response.clone().json();
  const code =
    typeof body === "object" && body !== null && Reflect.get(body, "code");
  if (code !== "EMAIL_NOT_VERIFIED") return response;
  // Exactly what the library answers to a wrong password.
  const { message } = BASE_ERROR_CODES.INVALID_EMAIL_OR_PASSWORD;
  return Response.json(
    { message, code: BASE_ERROR_CODES.INVALID_EMAIL_OR_PASSWORD.code },
    { status: 401, headers: response.headers },
  );
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
