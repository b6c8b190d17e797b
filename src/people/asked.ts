import { APIError } from "better-auth/api";
import { normalizeEmail } from "../accounts/email.ts";

const LONGEST_NAME = 100;

/** What somebody may say of themselves. */
const SIGN_UP_MEMBERS: ReadonlySet<string> = new Set([
  "callbackURL",
  "email",
  "name",
  "password",
]);

/** Paths that take the address of a person. */
const TAKES_ADDRESS: ReadonlySet<string> = new Set([
  "/sign-up/email",
  "/sign-in/email",
  "/request-password-reset",
  "/send-verification-email",
]);

/** What says where somebody is sent afterwards, in a body or a query. */
const TARGETS = [
  "callbackURL",
  "errorCallbackURL",
  "newUserCallbackURL",
  "redirectTo",
] as const;

/** What is asked of the library. */
export interface Asked {
  readonly path: string;
  readonly body: unknown;
  readonly query: unknown;
}

/**
 * Checks what is asked before the library does. Returns the address that is put in the place of the one that was sent, null
 * for none: as people are told apart by it, so that it may be written in the same ways wherever it is given. Throws APIError.
 */
export function checkAsked({ body, path, query }: Asked): string | null {
  for (const members of [membersOf(body), membersOf(query)]) {
    refuseOddTexts(members);
    refuseTargetsElsewhere(members);
  }
  if (path === "/sign-up/email") return signUp(body);
  return TAKES_ADDRESS.has(path) ? normalizeEmail(emailOf(body)) : null;
}

/** The address in a body, empty when there is none. */
export function emailOf(body: unknown): string {
  const { email } = membersOf(body);
  return typeof email === "string" ? email : "";
}

/** PostgreSQL takes no NUL, and half a character comes out of a database as another one. */
function refuseOddTexts(members: Record<string, unknown>): void {
  for (const text of Object.values(members).flat())
    if (
      typeof text === "string" &&
      (text.includes("\0") || !text.isWellFormed())
    )
      throw new APIError("BAD_REQUEST", {
        code: "INVALID_TEXT",
        message: "A text is Unicode without NUL.",
      });
}

/** The library lets pass what is a path only until its dots are resolved: a browser takes `/..//host` for another host. */
function refuseTargetsElsewhere(members: Record<string, unknown>): void {
  for (const target of TARGETS.flatMap((name) => members[name])) {
    if (typeof target !== "string") continue;
    const resolved = URL.parse(target, "https://service.invalid");
    if (resolved !== null && !resolved.pathname.startsWith("//")) continue;
    throw new APIError("FORBIDDEN", {
      code: "INVALID_CALLBACK_URL",
      message: "This leads elsewhere: give a path of the service.",
    });
  }
}

/** Anything but what may be said (a plan, a role) is refused. */
function signUp(body: unknown): string {
  const { name, ...members } = membersOf(body);
  const unknown = Object.keys(members).find((key) => !SIGN_UP_MEMBERS.has(key));
  if (unknown !== undefined)
    throw new APIError("BAD_REQUEST", {
      code: "UNKNOWN_MEMBER",
      message: `A sign-up takes ${[...SIGN_UP_MEMBERS].join(", ")} and nothing else.`,
    });
  const email = normalizeEmail(emailOf(body));
  if (email === null)
    throw new APIError("BAD_REQUEST", {
      code: "INVALID_EMAIL",
      message: "This is not an e-mail address.",
    });
  if (typeof name === "string" && name.length > LONGEST_NAME)
    throw new APIError("BAD_REQUEST", {
      code: "NAME_TOO_LONG",
      message: `A name has at most ${LONGEST_NAME} characters.`,
    });
  return email;
}

/** The members of an object, none of anything else. */
export function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
