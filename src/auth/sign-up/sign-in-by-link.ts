import { getSessionFromCtx } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import type { Random } from "../../accounts/keys/api-key.ts";
import {
  passwordHashOf,
  type HookContext,
  type PasswordOwner,
} from "../library/hook-context.ts";
import { emailOf } from "../request-check.ts";
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
 * Signs in a user who has just confirmed the address in the browser that signed up; that browser then forgets it.
 * Returns whether it did: anyone else, such as a user who was lured to another user's link, has only confirmed the
 * address. A browser that is signed in as another user stays so.
 */
export async function signInByLink(
  hook: HookContext,
  cookies: SignUpCookies,
  { id: userId }: PasswordOwner,
): Promise<boolean> {
  const { attributes, name } = signUpCookie(hook);
  const cookie = hook.getCookie(name) ?? null;
  const current = await getSessionFromCtx(hook);
  if (current !== null && current.user.id !== userId) return false;
  const passwordHash = await passwordHashOf(hook, userId);
  if (cookie === null || passwordHash === null) return false;
  const { internalAdapter } = hook.context;
  const user = await internalAdapter.findUserById(userId);
  if (
    user === null ||
    !cookies.isFor(cookie, { userId, email: user.email, passwordHash })
  )
    return false;
  const session = await internalAdapter.createSession(userId);
  await setSessionCookie(hook, { session, user });
  hook.setCookie(name, "", { ...attributes, maxAge: 0 });
  return true;
}

function signUpCookie({ context }: HookContext) {
  return context.createAuthCookie(SIGN_UP_COOKIE, { maxAge: SIGN_UP_SECONDS });
}
