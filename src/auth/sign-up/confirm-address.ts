import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthEndpoint } from "better-auth/api";
import { verifyJWT } from "better-auth/crypto";
import { LINK_FAULTS, readLinkToken } from "../../text/link-token.ts";
import { CONFIRM_PATH } from "../auth.ts";
import type { PasswordOwner, HookContext } from "../library/hook-context.ts";
import { membersOf } from "../request-check.ts";

export interface AddressConfirmationParts {
  /** Confirms a user's address and links the account; false if it was confirmed before. */
  readonly confirm: (user: PasswordOwner) => Promise<boolean>;
  /** Signs the user in if the request comes from the browser that signed up; returns whether it does. */
  readonly signIn: (hook: HookContext, user: PasswordOwner) => Promise<boolean>;
}

/**
 * Makes `POST /verify-email`, which confirms the address to which a link was mailed. The library does so on GET, which
 * mail scanners send too: an address would be confirmed for a stranger who signed up with it. A link works once, and so
 * do all links of a sign-up together.
 */
export function addressConfirmation({
  confirm,
  signIn,
}: AddressConfirmationParts): BetterAuthPlugin {
  return {
    id: "address-confirmation",
    endpoints: {
      confirmAddress: createAuthEndpoint(
        CONFIRM_PATH,
        { method: "POST" },
        async (hook) => {
          const user = await userOfLink(hook);
          if (!(await confirm(user)))
            throw new APIError("CONFLICT", {
              code: "LINK_USED",
              message: "This address is already confirmed. Sign in.",
            });
          return hook.json({
            status: true,
            email: user.email,
            signedIn: await signIn(hook, user),
          });
        },
      ),
    },
  };
}

/** Finds the user to whom a link was mailed. Throws APIError for an expired link, and one of no user. */
async function userOfLink({
  body,
  context,
}: HookContext): Promise<PasswordOwner> {
  const token = String(membersOf(body)["token"]);
  const { email, userId } = membersOf(await verifyJWT(token, context.secret));
  if (typeof userId === "string") {
    const user = await context.internalAdapter.findUserById(userId);
    if (user !== null && user.email === email) return user;
  }
  // The library's clock, by which it also checks the token.
  if ((readLinkToken(token)?.expiresAt ?? Infinity) <= Date.now())
    throw new APIError("BAD_REQUEST", {
      code: "TOKEN_EXPIRED",
      message: LINK_FAULTS.expired,
    });
  throw new APIError("BAD_REQUEST", {
    code: "INVALID_TOKEN",
    message: LINK_FAULTS.unknown,
  });
}
