import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthEndpoint } from "better-auth/api";
import { verifyJWT } from "better-auth/crypto";
import {
  CHANGE_REQUEST,
  LINK_FAULTS,
  readLinkToken,
} from "../../text/link-token.ts";
import { CONFIRM_PATH } from "../auth.ts";
import type { PasswordOwner, HookContext } from "../library/hook-context.ts";
import { membersOf } from "../request-check.ts";

export interface AddressConfirmationParts {
  /** Confirms a user's address and links the account; false if it was confirmed before. */
  readonly confirm: (user: PasswordOwner) => Promise<boolean>;
  /** Gives an account another address, by the secret of a link; false if the link no longer works. */
  readonly change: (secret: string, email: string) => Promise<boolean>;
  /** Signs the user in if the request comes from the browser that signed up; returns whether it does. */
  readonly signIn: (hook: HookContext, user: PasswordOwner) => Promise<boolean>;
}

/**
 * Makes `POST /verify-email`, which confirms the address to which a link was mailed: of a sign-up, or an account's new
 * one. The library does so on GET, which mail scanners send too: an address would be confirmed for a stranger who signed
 * up with it. A link works once, and so do all links of a sign-up together.
 */
export function addressConfirmation({
  change,
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
          const claims = await claimsOf(hook);
          const { change: secret, email, requestType } = claims;
          if (requestType === CHANGE_REQUEST) {
            if (!(await change(String(secret), String(email))))
              throw new APIError("CONFLICT", {
                code: "LINK_USED",
                message: LINK_FAULTS.changeEnded,
              });
            return hook.json({ status: true, email, signedIn: false });
          }
          const user = await userOfClaims(hook, claims);
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

/** Returns what the token of a link says. Throws APIError for an expired link, and one that the service didn't sign. */
async function claimsOf({
  body,
  context,
}: HookContext): Promise<Record<string, unknown>> {
  const token = String(membersOf(body)["token"]);
  const claims = await verifyJWT(token, context.secret);
  if (claims !== null) return membersOf(claims);
  const link = readLinkToken(token);
  // The library's clock, by which it also checks the token.
  if (link === null || link.expiresAt > Date.now()) throw unknownLink();
  throw new APIError("BAD_REQUEST", {
    code: "TOKEN_EXPIRED",
    message: link.isChange ? LINK_FAULTS.changeExpired : LINK_FAULTS.expired,
  });
}

/** Finds the user to whom a sign-up's link was mailed. Throws APIError for the link of no user. */
async function userOfClaims(
  { context }: HookContext,
  { email, userId }: Record<string, unknown>,
): Promise<PasswordOwner> {
  if (typeof userId === "string") {
    const user = await context.internalAdapter.findUserById(userId);
    if (user !== null && user.email === email) return user;
  }
  throw unknownLink();
}

function unknownLink(): APIError {
  return new APIError("BAD_REQUEST", {
    code: "INVALID_TOKEN",
    message: LINK_FAULTS.unknown,
  });
}
