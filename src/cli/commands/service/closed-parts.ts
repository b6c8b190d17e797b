import type { PortalOptions } from "./portal.ts";
import type { SignUpOptions } from "./sign-up.ts";

/** What visitors of the portal find closed though no one chose so: a line for each, with the setting that opens it. */
export function closedParts(
  {
    portal,
    signUp,
  }: {
    readonly portal: PortalOptions | null;
    readonly signUp: SignUpOptions;
  },
  {
    hasPeople,
    isDemo,
  }: {
    /** Whether people can sign up and in. */
    readonly hasPeople: boolean;
    /** Whether the providers that are served are invented. */
    readonly isDemo: boolean;
  },
): string[] {
  if (hasPeople) return [];
  const isSignUpChosen = signUp.wanted === "off";
  const lines = isSignUpChosen
    ? []
    : [
        "Sign-up is closed: no mail server is set (SMTP_URL). SMTP_URL, MAIL_FROM and PUBLIC_URL open it; until then keys create makes keys. SIGN_UP=off hides this line.",
      ];
  if (portal === null) return lines;
  const isOpen =
    portal.explorer === "open" || (portal.explorer === null && isDemo);
  const isChosen = isSignUpChosen && portal.explorer === "signed-in";
  if (!isOpen && !isChosen)
    lines.push(
      "The explorer is closed: it is for people who are signed in, and no one can sign in. EXPLORER=open opens it to every visitor. EXPLORER=signed-in with SIGN_UP=off hides this line.",
    );
  return lines;
}
