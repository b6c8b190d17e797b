import { createEmailVerificationToken } from "better-auth/api";

/**
 * Signs a link for nobody. It waits in the runtime's pool behind the passwords that are just being hashed, as the signing of a
 * mail's link does: without it an answer without a mail would come sooner, by seconds while many ask.
 */
export async function signNobodysLink(secret: string): Promise<void> {
  await createEmailVerificationToken(secret, "nobody@localhost");
}
