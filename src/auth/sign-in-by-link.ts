import { getSessionFromCtx } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { verifyJWT } from "better-auth/crypto";
import type { Random } from "../accounts/keys/api-key.ts";
import { passwordHashOf, type HookContext } from "./hook-context.ts";
import { emailOf, membersOf } from "./request-check.ts";
import {
  SIGN_UP_COOKIE,
  SIGN_UP_SECONDS,
  type SignUpCookies,
} from "./sign-up-cookies.ts";

const MADE_UP_BYTES = 16;

/**
 * Gives the browser of a sign-up its cookie. If the address was known, the cookie looks the same and is of no use,
 * unless that sign-up waits to be confirmed and this one knows its password: otherwise the password is removed.
 */
export async function rememberSignUp(
  hook: HookContext,
  cookies: SignUpCookies,
  random: Random,
): Promise<void> {
  const email = emailOf(hook.body);
  const { internalAdapter } = hook.context;
  const found = await internalAdapter.findUserByEmail(email);
  const passwordHash = await passwordHashOf(hook, found?.user.id);
  const isWaiting = found?.user.emailVerified === false;
  const { attributes, name } = signUpCookie(hook);
  const signUp =
    isWaiting && passwordHash !== null
      ? { userId: found.user.id, email, passwordHash }
      : {
          userId: "",
          email,
          passwordHash: Buffer.from(random(MADE_UP_BYTES)).toString("hex"),
        };
  hook.setCookie(name, cookies.make(signUp), attributes);
}

/**
 * Signs in a user who opens the mailed link in the browser that signed up; that browser then forgets it. Anyone else who
 * opens it, such as a mail scanner, only confirms the address, and so does a user who was lured to another user's link.
 */
export async function signInByLink(
  hook: HookContext,
  cookies: SignUpCookies,
): Promise<void> {
  const { attributes, name } = signUpCookie(hook);
  const cookie = hook.getCookie(name) ?? null;
  if (cookie === null) return;
  const { internalAdapter, secret } = hook.context;
  const token = String(membersOf(hook.query)["token"]);
  const { email, userId } = membersOf(await verifyJWT(token, secret));
  if (typeof email !== "string" || typeof userId !== "string") return;
  const user = await internalAdapter.findUserById(userId);
  const passwordHash = await passwordHashOf(hook, userId);
  if (
    user?.email !== email ||
    !user.emailVerified ||
    Reflect.get(user, "twoFactorEnabled") === true ||
    passwordHash === null ||
    !cookies.isFor(cookie, { userId, email, passwordHash })
  )
    return;
  const current = await getSessionFromCtx(hook);
  if (current?.user.id === userId) return;
  const session = await internalAdapter.createSession(userId);
  await setSessionCookie(hook, { session, user });
  hook.setCookie(name, "", { ...attributes, maxAge: 0 });
}

function signUpCookie({ context }: HookContext) {
  return context.createAuthCookie(SIGN_UP_COOKIE, { maxAge: SIGN_UP_SECONDS });
}
