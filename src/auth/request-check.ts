import { APIError } from "better-auth/api";
import { normalizeEmail } from "../accounts/users/email.ts";
import { MAX_PASSWORD_LENGTH } from "../contract/credentials.ts";
import { publicPath } from "../text/public-path.ts";
import { CONFIRM_PATH, RESET_PAGE } from "./auth.ts";

const MAX_NAME_LENGTH = 100;
const MAX_TARGET_LENGTH = 2_048;

/** The shapes of the library's tokens, of mailed links and of sessions. */
const RESET_TOKEN = /^[A-Za-z0-9]{24}$/;
const CONFIRMATION_TOKEN = /^(?=.{1,1024}$)[\w-]+\.[\w-]+\.[\w-]+$/;
const SESSION_TOKEN = /^[A-Za-z0-9]{32}$/;

/** The tokens in bodies, by path. */
const TOKENS: ReadonlyMap<string, RegExp> = new Map([
  [CONFIRM_PATH, CONFIRMATION_TOKEN],
  ["/reset-password", RESET_TOKEN],
  ["/revoke-session", SESSION_TOKEN],
]);

/** Members of a sign-up. */
const SIGN_UP_MEMBERS: ReadonlySet<string> = new Set([
  "callbackURL",
  "email",
  "name",
  "password",
]);

/** Members of a confirmation. */
const CONFIRM_MEMBERS: ReadonlySet<string> = new Set(["token"]);

/** Members of a sign-in with another service. */
const SOCIAL_MEMBERS: ReadonlySet<string> = new Set([
  "callbackURL",
  "errorCallbackURL",
  "newUserCallbackURL",
  "provider",
]);

/** Body members that contain a password. */
const PASSWORDS = ["password", "currentPassword", "newPassword"] as const;

/** Paths that take a user's address. */
const TAKES_ADDRESS: ReadonlySet<string> = new Set([
  "/sign-up/email",
  "/sign-in/email",
  "/request-password-reset",
  "/send-verification-email",
]);

/** Paths that require a password. */
const TAKES_PASSWORD: ReadonlySet<string> = new Set([
  "/sign-up/email",
  "/sign-in/email",
  "/reset-password",
  "/change-password",
]);

/** Body or query members that name a redirect target. */
const TARGETS = [
  "callbackURL",
  "errorCallbackURL",
  "newUserCallbackURL",
  "redirectTo",
] as const;

/** Paths whose targets the library redirects browsers to; those of other paths are only passed on in mailed links. */
const REDIRECTS: ReadonlySet<string> = new Set([
  "/reset-password/:token",
  "/sign-in/social",
]);

const NOT_ASCII = /[^\x21-\x7e]+/g;

/** A request to the library. */
export interface AuthRequest {
  /** The library's name of the path: `/reset-password/:token`. */
  readonly path: string;
  readonly params?: unknown;
  readonly body: unknown;
  readonly query: unknown;
}

/** Returns where a mailed link with a malformed token leads; null if the token may be valid. */
export function pageOfInvalidLink({
  params,
  path,
}: AuthRequest): string | null {
  return path !== "/reset-password/:token" ||
    isToken(membersOf(params)["token"], RESET_TOKEN)
    ? null
    : RESET_PAGE;
}

/**
 * Checks a request before the library sees it, and before anything is written or hashed. Returns the normalized address
 * to use instead of the one sent, null for none: users are identified by it. Throws APIError.
 */
export function checkAuthRequest({
  body,
  path,
  query,
}: AuthRequest): string | null {
  for (const members of [membersOf(body), membersOf(query)]) {
    refuseInvalidText(members);
    refuseForeignTargets(members);
  }
  refuseInvalidTokens(path, membersOf(body));
  refuseInvalidPasswords(path, membersOf(body));
  if (path === "/sign-in/social") checkProvider(body);
  if (path === CONFIRM_PATH) refuseUnknownMembers(body, CONFIRM_MEMBERS);
  if (!TAKES_ADDRESS.has(path)) return null;
  if (path === "/sign-up/email") checkSignUp(body);
  const email = normalizeEmail(emailOf(body));
  if (email === null)
    throw new APIError("BAD_REQUEST", {
      code: "INVALID_EMAIL",
      message: "This is not a valid email address.",
    });
  return email;
}

/** Returns the address in a body; empty if there is none. */
export function emailOf(body: unknown): string {
  const { email } = membersOf(body);
  return typeof email === "string" ? email : "";
}

/** Refuses NUL, which PostgreSQL refuses, and lone surrogates, which are read back as another character. */
function refuseInvalidText(members: Record<string, unknown>): void {
  for (const text of Object.values(members).flat())
    if (
      typeof text === "string" &&
      (text.includes("\0") || !text.isWellFormed())
    )
      throw new APIError("BAD_REQUEST", {
        code: "INVALID_TEXT",
        message: "Strings must be valid Unicode without NUL characters.",
      });
}

/** Refuses targets such as `/..//host`, which the library accepts and a browser resolves to another host. */
function refuseForeignTargets(members: Record<string, unknown>): void {
  for (const target of TARGETS.flatMap((name) => members[name])) {
    if (typeof target !== "string") continue;
    const resolved =
      target.length > MAX_TARGET_LENGTH
        ? null
        : URL.parse(target, "https://service.invalid");
    if (resolved !== null && !resolved.pathname.startsWith("//")) continue;
    throw new APIError("FORBIDDEN", {
      code: "INVALID_CALLBACK_URL",
      message: "The redirect target must be a path on this service.",
    });
  }
}

/**
 * Returns the redirect targets that the library must get in another form: percent-encoded if they are not ASCII,
 * because a header takes nothing else, and as browsers see them where it redirects to a path of the service.
 */
export function targetsToUse(
  path: string,
  given: unknown,
  url: string,
): Record<string, string> {
  const members = membersOf(given);
  const changed: Record<string, string> = {};
  for (const name of TARGETS) {
    const target = members[name];
    if (typeof target !== "string") continue;
    const encoded = target.replaceAll(NOT_ASCII, encodeURIComponent);
    const isPath = REDIRECTS.has(path) && encoded.startsWith("/");
    const used = isPath ? publicPath(url, encoded) : encoded;
    if (used !== target) changed[name] = used;
  }
  return changed;
}

function refuseInvalidTokens(
  path: string,
  body: Record<string, unknown>,
): void {
  const shape = TOKENS.get(path);
  if (shape !== undefined && !isToken(body["token"], shape))
    throw new APIError("BAD_REQUEST", {
      code: "INVALID_TOKEN",
      message: "This token is not valid.",
    });
}

function isToken(given: unknown, shape: RegExp): boolean {
  return typeof given === "string" && shape.test(given);
}

function refuseInvalidPasswords(
  path: string,
  body: Record<string, unknown>,
): void {
  const given = PASSWORDS.map((name) => body[name]).filter(
    (each) => each !== undefined,
  );
  if (given.length === 0 && TAKES_PASSWORD.has(path))
    throw new APIError("BAD_REQUEST", {
      code: "INVALID_PASSWORD",
      message: "A password is required.",
    });
  for (const each of given) {
    if (typeof each !== "string")
      throw new APIError("BAD_REQUEST", {
        code: "INVALID_PASSWORD",
        message: "A password must be a string.",
      });
    if (each.length > MAX_PASSWORD_LENGTH)
      throw new APIError("BAD_REQUEST", {
        code: "PASSWORD_TOO_LONG",
        message: `A password can have at most ${MAX_PASSWORD_LENGTH} characters.`,
      });
  }
}

/** Refuses members that are not allowed, such as a plan or a role. */
function refuseUnknownMembers(body: unknown, known: ReadonlySet<string>): void {
  const unknown = Object.keys(membersOf(body)).find((key) => !known.has(key));
  if (unknown !== undefined)
    throw new APIError("BAD_REQUEST", {
      code: "UNKNOWN_MEMBER",
      message: `The body has an unknown member; known members are ${[...known].join(", ")}.`,
    });
}

function checkProvider(body: unknown): void {
  refuseUnknownMembers(body, SOCIAL_MEMBERS);
  if (membersOf(body)["provider"] !== "github")
    throw new APIError("BAD_REQUEST", {
      code: "UNKNOWN_PROVIDER",
      message: 'The only provider is "github".',
    });
}

function checkSignUp(body: unknown): void {
  refuseUnknownMembers(body, SIGN_UP_MEMBERS);
  const { name } = membersOf(body);
  if (typeof name === "string" && name.length > MAX_NAME_LENGTH)
    throw new APIError("BAD_REQUEST", {
      code: "NAME_TOO_LONG",
      message: `A name can have at most ${MAX_NAME_LENGTH} characters.`,
    });
}

/** Returns the members of an object; none for any other value. */
export function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
